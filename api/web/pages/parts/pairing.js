// Addresses as codes to scan. The server draws them; a page only shows them.
import { get } from "../lib/api.js";
import { html, useEffect, useState } from "../lib/ui.js";

/** The addresses for a role: [{url, qr}], the best first. */
export function addressesFor(pairing, role) {
  const all = pairing?.addresses ?? pairing?.codes ?? (Array.isArray(pairing) ? pairing : []);
  const fitting = all.filter((item) => !item.role || item.role === role);
  return fitting.length ? fitting : all;
}

/** What an `img` can show of a code: an SVG text becomes a data address. */
export function codeSource(qr) {
  if (!qr) return null;
  const text = String(qr).trim();
  const named = text.includes("xmlns=") ? text : text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  if (text.startsWith("<")) return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(named)}`;
  return text;
}

export function usePairing() {
  const [pairing, setPairing] = useState(null);
  useEffect(() => {
    get("/api/pairing").then(setPairing).catch(() => setPairing({ addresses: [] }));
  }, []);
  return pairing;
}

export function JoinCode({ role, label }) {
  const [best] = addressesFor(usePairing(), role);
  if (!best) return null;
  const source = codeSource(best.qr ?? best.svg);
  return html`<figure class="join">
    ${source && html`<img src=${source} alt="" width="160" height="160" />`}
    <figcaption><span>${label}</span><span class="join-url">${String(best.url).split("#")[0]}</span></figcaption>
  </figure>`;
}
