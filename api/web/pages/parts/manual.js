// A stroke entered by hand, in few taps: who is on turn is known, nothing fell is one tap.
import { command } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { emptyOutcome, same, toSend, toShort } from "../lib/outcome.js";
import { match, snapshot, state, turn } from "../lib/store.js";
import { seatsOf } from "../lib/match.js";
import { html, signal, useState } from "../lib/ui.js";
import { Dialog } from "./dialog.js";
import { OutcomeForm } from "./outcome_form.js";

export const manualOpen = signal(false);

export function ManualStroke() {
  return manualOpen.value && match.value ? html`<${Entry} />` : null;
}

function Entry() {
  const seen = snapshot.value?.problem?.outcome;
  const start = seen ? toShort(seen) : emptyOutcome(turn.value ?? seatsOf(match.value)[0]);
  const [value, setValue] = useState(start);
  const [isSending, setSending] = useState(false);
  const close = () => (manualOpen.value = false);
  const isNothing = same(value, emptyOutcome(value.seat));
  const send = async () => {
    setSending(true);
    const reply = await command("stroke", { outcome: toSend(value) });
    setSending(false);
    if (reply) close();
  };
  return html`<${Dialog} title=${t("manual")} onClose=${close} wide>
    <${OutcomeForm} value=${value} onChange=${setValue} onBoard=${state.value?.on_board} />
    <div class="row end dialog-foot">
      <button type="button" onClick=${close}>${t("cancel")}</button>
      <button type="button" class="primary" disabled=${isSending} onClick=${send}>
        ${isNothing ? t("manual.nothing") : t("manual.record")}
      </button>
    </div>
  <//>`;
}
