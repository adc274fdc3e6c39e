// A dialog on the browser's own element: it keeps the focus inside and closes with Escape.
import { t } from "../lib/i18n.js";
import { html, useEffect, useId, useRef } from "../lib/ui.js";

export function Dialog({ title, onClose, children, wide = false, tone = "" }) {
  const box = useRef(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog
    ref=${box}
    class=${`dialog ${wide ? "dialog-wide" : ""} ${tone}`}
    aria-labelledby=${id}
    onClose=${onClose}
    onCancel=${onClose}
    onClick=${(event) => event.target === box.current && onClose()}
  >
    <div class="dialog-inside">
      <header class="dialog-head">
        <h2 id=${id}>${title}</h2>
        <button type="button" class="icon-button" aria-label=${t("close")} onClick=${onClose}>✕</button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
