// What happened in a stroke, entered by taps: for manual play and for corrections.
import { KindIcon, kindName } from "../board/discs.js";
import { t } from "../lib/i18n.js";
import { kindsOf, seatsOf } from "../lib/match.js";
import * as edit from "../lib/outcome.js";
import { boardName, match } from "../lib/store.js";
import { html, names } from "../lib/ui.js";
import { Choice } from "./choice.js";
import { seatName } from "./score.js";

const POCKETS = ["NW", "NE", "SW", "SE"];
const FOULS = {
  icf: ["touched", "improper_stroke", "placement"],
  hikone: ["touched", "striker_recalled_early", "improper_stroke", "placement"],
};

export function OutcomeForm({ value, onChange, onBoard }) {
  const kinds = kindsOf(boardName.value);
  const fouls = FOULS[String(boardName.value).startsWith("hikone") ? "hikone" : "icf"];
  return html`<div class="outcome-form">
    <${Choice}
      legend=${t("form.who")}
      compact
      options=${seatsOf(match.value).map((seat) => ({ value: seat, label: seatName(seat) }))}
      value=${value.seat}
      onChange=${(seat) => onChange({ ...value, seat })}
    />
    <fieldset class="fell">
      <legend>${t("form.fell")}</legend>
      <${KindButtons} kinds=${kinds} value=${value} onBoard=${onBoard}
        onAdd=${(kind) => onChange(edit.addPocketed(value, kind))} />
      <ul class="fallen">
        ${value.pocketed.map((item, i) => html`<${Fallen} item=${item} index=${i} value=${value} onChange=${onChange} />`)}
      </ul>
    </fieldset>
    <${Choice}
      legend=${t("form.striker")}
      compact
      options=${["ok", "pocketed", "off"].map((fate) => ({ value: fate, label: t(`striker.${fate}`) }))}
      value=${value.striker}
      onChange=${(striker) => onChange({ ...value, striker })}
    />
    <details class="more" open=${value.left.length > 0 || value.fouls.length > 0 || value.first === "none"}>
      <summary>${t("form.more")}</summary>
      <fieldset>
        <legend>${t("form.left")}</legend>
        <${KindButtons} kinds=${kinds} value=${value} onBoard=${onBoard}
          onAdd=${(kind) => onChange(edit.addLeft(value, kind))} />
        <ul class="fallen">
          ${value.left.map((kind, i) => html`<li class="chip">
            <${KindIcon} kind=${kind} /><span>${kindName(kind)}</span>
            <button type="button" class="icon-button" aria-label=${t("form.remove", { piece: kindName(kind) })}
              onClick=${() => onChange(edit.removeLeft(value, i))}>✕</button>
          </li>`)}
        </ul>
      </fieldset>
      <${Choice}
        legend=${t("form.first")}
        compact
        options=${[{ value: null, label: t("first.unknown") }, ...kinds.map((kind) => ({ value: kind, label: kindName(kind) })), { value: "none", label: t("first.none") }]}
        value=${value.first ?? null}
        onChange=${(first) => onChange({ ...value, first })}
      />
      <fieldset>
        <legend>${t("form.fouls")}</legend>
        <div class="choice-options">
          ${fouls.map((foul) => html`<label class=${names("option", value.fouls.includes(foul) && "option-on")}>
            <input type="checkbox" checked=${value.fouls.includes(foul)} onChange=${() => onChange(edit.toggleFoul(value, foul))} />
            <span>${t(`foul.${foul}`)}</span>
          </label>`)}
        </div>
      </fieldset>
    </details>
  </div>`;
}

function KindButtons({ kinds, value, onBoard, onAdd }) {
  return html`<div class="kind-buttons">
    ${kinds.map((kind) => html`<button
      type="button"
      class="kind-button"
      disabled=${edit.room(value, kind, onBoard) <= 0}
      onClick=${() => onAdd(kind)}
    >
      <${KindIcon} kind=${kind} size="40" /><span>${kindName(kind)}</span>
    </button>`)}
  </div>`;
}

function Fallen({ item, index, value, onChange }) {
  const name = kindName(item.piece);
  return html`<li class="chip">
    <${KindIcon} kind=${item.piece} />
    <span>${name}</span>
    <span class="pocket-grid" role="group" aria-label=${t("form.pocket", { piece: name })}>
      ${POCKETS.map((pocket) => html`<button
        type="button"
        class=${names("pocket-button", item.pocket === pocket && "on")}
        aria-pressed=${item.pocket === pocket}
        aria-label=${t(`pocket.${pocket}`)}
        onClick=${() => onChange(edit.setPocket(value, index, pocket))}
      >${t(`pocket.short.${pocket}`)}</button>`)}
    </span>
    <button type="button" class="icon-button" aria-label=${t("form.remove", { piece: name })}
      onClick=${() => onChange(edit.removePocketed(value, index))}>✕</button>
  </li>`;
}
