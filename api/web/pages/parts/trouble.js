// A command that was refused: what somebody else changed meanwhile, or why it cannot be.
import { refresh } from "../lib/api.js";
import { has, pick, t } from "../lib/i18n.js";
import { trouble } from "../lib/store.js";
import { html } from "../lib/ui.js";
import { Dialog } from "./dialog.js";
import { Entry } from "./log.js";

export function Trouble() {
  const now = trouble.value;
  if (!now) return null;
  const close = () => (trouble.value = null);
  if (now.kind === "conflict") {
    const again = async () => {
      close();
      await now.again();
    };
    const look = () => {
      close();
      refresh().catch(() => {});
    };
    return html`<${Dialog} title=${t("conflict")} onClose=${look} tone="dialog-warn">
      <p>${t("conflict.text")}</p>
      <div class="conflict-list">${now.since.map((call) => html`<${Entry} call=${call} />`)}</div>
      <div class="row end">
        <button type="button" onClick=${look}>${t("conflict.look")}</button>
        <button type="button" class="primary" onClick=${again}>${t("conflict.again")}</button>
      </div>
    <//>`;
  }
  const known = `refused.${now.status}`;
  return html`<${Dialog} title=${t("refused")} onClose=${close} tone="dialog-warn">
    <p>${has(known) ? t(known) : t("refused.text")}</p>
    ${now.status !== 0 && now.message && html`<p class="faint">${pick(now.message)}</p>`}
    <div class="row end"><button type="button" class="primary" onClick=${close}>${t("ok")}</button></div>
  <//>`;
}
