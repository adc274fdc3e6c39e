// One key for each thing that is done often, and the list of them (?).
import { t } from "../lib/i18n.js";
import { html, signal, useEffect } from "../lib/ui.js";
import { Dialog } from "./dialog.js";

export const helpOpen = signal(false);

/** Listen for `keys` ({key: {label, run}}) while no text is being typed and no dialog is open. */
export function useShortcuts(keys) {
  useEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const typing = event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog");
      if (typing || document.querySelector("dialog[open]")) return;
      if (event.key === "?") {
        helpOpen.value = true;
        event.preventDefault();
        return;
      }
      const found = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

export function ShortcutHelp({ keys }) {
  if (!helpOpen.value) return null;
  const shown = Object.entries(keys).filter(([, key]) => key.label);
  return html`<${Dialog} title=${t("keys")} onClose=${() => (helpOpen.value = false)}>
    <dl class="keys">
      ${shown.map(([key, { label, shows }]) => html`<dt><kbd>${shows ?? key.toUpperCase()}</kbd></dt><dd>${label()}</dd>`)}
      <dt><kbd>?</kbd></dt><dd>${t("keys")}</dd>
      <dt><kbd>Esc</kbd></dt><dd>${t("close")}</dd>
    </dl>
  <//>`;
}
