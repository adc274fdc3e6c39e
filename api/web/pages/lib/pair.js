// The code of a QR picture (after # in the address) is exchanged for a cookie once, and taken out of
// sight. Pages that use the fragment for themselves are not addressed by codes.

const PATHS = ["/pair", "/cam"];

/** The code in an address, or null. */
export function codeIn(path, hash) {
  const code = hash.replace(/^#/, "");
  return PATHS.includes(path) && code.length >= 8 && code.length <= 200 ? code : null;
}

/** {role} after pairing, {status} after a refusal (0: no connection), null without a code. */
async function pair() {
  const token = codeIn(location.pathname, location.hash);
  if (!token) return null;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const response = await fetch("/api/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
      credentials: "same-origin",
    });
    return response.ok ? await response.json() : { status: response.status };
  } catch {
    return { status: 0 };
  }
}

/** Settled when this device has tried to pair, at once where there is nothing to do. */
export const paired = typeof location === "undefined" ? Promise.resolve(null) : pair();
