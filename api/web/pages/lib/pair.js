// The code of a QR picture (after # in the address) is exchanged for a cookie once, and taken out of
// sight. Pages that use the fragment for themselves are not addressed by codes.

const PATHS = ["/", "/pad", "/cam", "/tv"];

/** The code in an address, or null. */
export function codeIn(path, hash) {
  const code = hash.replace(/^#/, "");
  return PATHS.includes(path) && code.length >= 8 && code.length <= 80 ? code : null;
}

async function pair() {
  const token = codeIn(location.pathname, location.hash);
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  await fetch("/api/pair", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
    credentials: "same-origin",
  }).catch(() => {});
}

/** Settled when this device has tried to pair, at once where there is nothing to do. */
export const paired = typeof location === "undefined" ? Promise.resolve() : pair();
