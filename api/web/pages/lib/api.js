// Asking the server. Commands carry the number of the last event we know; a refusal is put where
// every page shows it (`store.trouble`).
import { snapshot, takeSnapshot, trouble } from "./store.js";

export class Refused extends Error {
  constructor(status, body) {
    super(body?.message ?? body?.detail ?? body?.error ?? `HTTP ${status}`);
    this.status = status;
    this.body = body ?? {};
  }
}

async function ask(method, path, body) {
  const options = { method, headers: {}, credentials: "same-origin", cache: "no-store" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused(0, { error: "offline" });
  }
  const text = await response.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = { message: text.slice(0, 200) };
  }
  if (!response.ok) throw new Refused(response.status, data);
  return data;
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);
export const patch = (path, body) => ask("PATCH", path, body);
export const remove = (path) => ask("DELETE", path);

/** Run something that asks; a refusal is shown to the person, and null comes back. */
export async function tell(action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    trouble.value = { kind: "refused", status: error.status, message: error.message };
    return null;
  }
}

let count = 0;
const commandId = () => `${Date.now().toString(36)}-${(count += 1)}-${Math.random().toString(36).slice(2, 8)}`;

/** One command of the protocol. Answers the server's reply, or null after a refusal. */
export async function command(name, values = {}, known = snapshot.value?.seq ?? 0) {
  const body = { do: name, seq: known, id: commandId(), ...values };
  try {
    const reply = await post("/api/table/commands", body);
    takeSnapshot(reply?.snapshot);
    return reply;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 409 && error.body.error === "conflict") {
      const seq = error.body.seq;
      const again = () => command(name, values, seq);
      trouble.value = { kind: "conflict", since: error.body.since ?? [], again };
    } else {
      trouble.value = { kind: "refused", status: error.status, message: error.message };
    }
    return null;
  }
}

/** Fetch the whole state once. */
export async function refresh() {
  takeSnapshot(await get("/api/table"));
}
