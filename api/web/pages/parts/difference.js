// What a correction changes, shown before it is accepted: later calls, turn, score.
import { kindName } from "../board/discs.js";
import { pick, t } from "../lib/i18n.js";
import { html } from "../lib/ui.js";
import { seatName } from "./score.js";

const KEYS = ["call", "text", "calls"];

/** The words for one side of a change, whatever the server made it of. */
export function words(value) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value in { S: 1, W: 1, N: 1, E: 1 } ? seatName(value) : value;
  if (Array.isArray(value)) return value.length ? value.map(words).join(", ") : "–";
  for (const key of KEYS) if (value[key]) return pick(value[key]);
  if (value.en) return pick(value);
  return Object.entries(value)
    .map(([key, part]) => `${["S", "W", "N", "E"].includes(key) ? seatName(key) : key in { white: 1, black: 1, red: 1, green: 1 } ? kindName(key) : key} ${words(part)}`)
    .join(", ");
}

export function Difference({ items }) {
  if (!items?.length) return html`<p class="difference-none">${t("difference.none")}</p>`;
  return html`<table class="difference">
    <caption>${t("difference")}</caption>
    <thead><tr><th scope="col">${t("difference.what")}</th><th scope="col">${t("difference.before")}</th><th scope="col">${t("difference.after")}</th></tr></thead>
    <tbody>
      ${items.map((item) => {
        const number = item.n ?? item.stroke;
        const what = number !== undefined ? t("stroke.number", { n: number }) : t(`difference.${item.what ?? item.field ?? "other"}`);
        return html`<tr>
          <th scope="row">${what}</th>
          <td dir="auto"><del>${words(item.before ?? item.was ?? item.old)}</del></td>
          <td dir="auto"><ins>${words(item.after ?? item.now ?? item.new)}</ins></td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
