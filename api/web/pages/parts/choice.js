// One choice out of few: large buttons that a radio group holds together.
import { html, names, useId } from "../lib/ui.js";

/** `options`: [{value, label, hint?, icon?}]; calls `onChange` with the value. */
export function Choice({ legend, options, value, onChange, hideLegend = false, compact = false }) {
  const name = useId();
  return html`<fieldset class=${names("choice", compact && "choice-compact")}>
    <legend class=${hideLegend ? "unseen" : ""}>${legend}</legend>
    <div class="choice-options">
      ${options.map(
        (option) => html`<label class=${names("option", option.value === value && "option-on")}>
          <input
            type="radio"
            name=${name}
            value=${String(option.value)}
            checked=${option.value === value}
            onChange=${() => onChange(option.value)}
          />
          ${option.icon}
          <span class="option-text">
            <span>${option.label}</span>
            ${option.hint && html`<small>${option.hint}</small>`}
          </span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/** On or off, with its words beside it. */
export function Toggle({ label, hint, value, onChange, disabled = false }) {
  return html`<label class=${names("toggle", disabled && "toggle-off")}>
    <input
      type="checkbox"
      checked=${value}
      disabled=${disabled}
      onChange=${(event) => onChange(event.currentTarget.checked)}
    />
    <span class="option-text"><span>${label}</span>${hint && html`<small>${hint}</small>`}</span>
  </label>`;
}
