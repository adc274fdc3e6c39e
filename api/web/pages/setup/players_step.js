// Who sits where, and who opens. Names may stay empty: then the seat is the name.
import { t } from "../lib/i18n.js";
import { html } from "../lib/ui.js";
import { Choice } from "../parts/choice.js";
import { change, plan, rulesetOf, seatsFor } from "./plan.js";

export function PlayersStep() {
  const now = plan.value;
  const counts = rulesetOf(now.rules)?.players ?? [2];
  const seats = seatsFor(now.count);
  const setName = (seat, name) => change({ names: { ...now.names, [seat]: name } });
  return html`<div>
    ${counts.length > 1 && html`<${Choice} legend=${t("setup.count")} compact value=${now.count} onChange=${(count) => change({ count })}
      options=${counts.map((value) => ({ value, label: t("setup.players", { n: value }) }))} />`}
    <div class="seats" data-count=${now.count}>
      ${seats.map((seat) => html`<label class=${`field seat seat-${seat}`}>
        <span>${t(`seat.${seat}`)}</span>
        <input type="text" maxlength="40" autocomplete="off" dir="auto" value=${now.names[seat] ?? ""} placeholder=${t("setup.name")}
          onInput=${(event) => setName(seat, event.currentTarget.value)} />
      </label>`)}
      <div class="seats-board" aria-hidden="true"></div>
    </div>
    <${Choice} legend=${t("setup.opener")} compact value=${now.opener} onChange=${(opener) => change({ opener })}
      options=${seats.map((seat) => ({ value: seat, label: now.names[seat]?.trim() || t(`seat.${seat}`) }))} />
  </div>`;
}
