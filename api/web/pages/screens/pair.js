// Where a scanned code leads: this device is made known, and sent on to its page.
import { t } from "../lib/i18n.js";
import { paired } from "../lib/pair.js";
import { html, useEffect, useState } from "../lib/ui.js";
import { startPage } from "../parts/page.js";

const PAGE_OF = { viewer: "/", referee: "/pad", camera: "/cam" };

/** The key of what to say after an attempt that did not pair. */
export function refusal(result) {
  if (result === null) return "pair.none";
  if (result.status === 429) return "pair.often";
  return result.status === 0 ? "refused.0" : "pair.old";
}

function Pair() {
  const [key, setKey] = useState("pair.busy");
  useEffect(() => {
    paired.then((result) => {
      if (result?.role) location.replace(PAGE_OF[result.role] ?? "/");
      else setKey(refusal(result));
    });
  }, []);
  return html`<section class="welcome">
    <h1>${t("pair")}</h1>
    <p role="status">${t(key)}</p>
    <a class="button" href="/">${t("nav.table")}</a>
  </section>`;
}

startPage("pair", Pair, { bare: true });
