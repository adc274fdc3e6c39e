// The clocks: counted on between two snapshots, so that they run without messages.
import { t } from "../lib/i18n.js";
import { clockText } from "../lib/match.js";
import { snapshot } from "../lib/store.js";
import { html, names, useEffect, useState } from "../lib/ui.js";

export function Clock({ large = false }) {
  const clock = snapshot.value?.clock;
  const [now, setNow] = useState(() => performance.now());
  const [since, setSince] = useState(now);
  useEffect(() => setSince(performance.now()), [clock]);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  if (!clock) return null;
  const passed = clock.running ? Math.max(0, now - since) / 1000 : 0;
  const hasMatch = typeof clock.match_remaining_s === "number";
  const hasStroke = typeof clock.stroke_limit_s === "number" && typeof clock.stroke_elapsed_s === "number";
  if (!hasMatch && !hasStroke) return null;
  const strokeLeft = hasStroke ? clock.stroke_limit_s - clock.stroke_elapsed_s - passed : 0;
  return html`<div class=${names("clock", large && "clock-large")} role="timer" aria-label=${t("clock")}>
    ${hasMatch && html`<span class="clock-match">${clockText(clock.match_remaining_s - passed)}</span>`}
    ${hasStroke && html`<span class=${names("clock-stroke", strokeLeft < 5 && "clock-short")}>
      <span class="unseen">${t("clock.stroke")}</span>${clockText(strokeLeft)}
    </span>`}
    ${!clock.running && html`<span class="clock-stands">${t("clock.stands")}</span>`}
  </div>`;
}
