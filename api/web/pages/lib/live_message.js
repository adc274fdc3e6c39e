// The bytes of the live connection and the rhythm of trying again. Pure, so tested without a browser.

/** `[u32 n][n bytes of JSON][picture]` to {data, picture}; picture is null where there is none. */
export function decode(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes.length < 4) throw new RangeError(`message of ${bytes.length} bytes`);
  const length = new DataView(buffer).getUint32(0);
  if (4 + length > bytes.length) {
    throw new RangeError(`JSON of ${length} bytes in a message of ${bytes.length}`);
  }
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const picture = bytes.length > 4 + length ? bytes.subarray(4 + length) : null;
  return { data, picture };
}

/** Seconds to wait before attempt n (from 0): half a second doubling to fifteen, with jitter. */
export function backoffS(attempt, random = Math.random()) {
  return Math.min(15, 0.5 * 2 ** Math.min(attempt, 10)) * (0.75 + 0.5 * random);
}

/** Whether an H.264 access unit (Annex B) can be decoded without those before it. */
export function isKeyUnit(unit) {
  for (let i = 0; i + 3 < unit.length; i += 1) {
    if (unit[i] === 0 && unit[i + 1] === 0 && unit[i + 2] === 1) {
      const type = unit[i + 3] & 0x1f;
      if (type === 5 || type === 7) return true;
      if (type === 1) return false;
    }
  }
  return false;
}

/** Remembers ids so that each is let through once, the oldest forgotten. */
export class Once {
  constructor(room = 200) {
    this.room = room;
    this.seen = new Set();
  }

  isNew(id) {
    if (this.seen.has(id)) return false;
    this.seen.add(id);
    if (this.seen.size > this.room) this.seen.delete(this.seen.values().next().value);
    return true;
  }
}
