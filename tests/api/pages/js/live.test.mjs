// The bytes of the live connection: what arrives broken must not pass for something else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Once, backoffS, decode, isKeyUnit } from "../../../../api/web/pages/lib/live_message.js";

const message = (json, picture = []) => {
  const head = new TextEncoder().encode(JSON.stringify(json));
  const bytes = new Uint8Array(4 + head.length + picture.length);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, 4);
  bytes.set(picture, 4 + head.length);
  return bytes.buffer;
};

test("JSON and picture come apart as they were put together", () => {
  const { data, picture } = decode(message({ seq: 7, text: "駒" }, [0xff, 0xd8, 0xff]));
  assert.deepEqual(data, { seq: 7, text: "駒" });
  assert.deepEqual([...picture], [0xff, 0xd8, 0xff]);
});

test("a message without a picture has none", () => {
  assert.equal(decode(message({ seq: 1 })).picture, null);
});

test("a length beyond the message is refused", () => {
  const bytes = new Uint8Array(message({ seq: 1 }));
  bytes[0] = 0x7f;
  assert.throws(() => decode(bytes.buffer), RangeError);
  assert.throws(() => decode(new ArrayBuffer(3)), RangeError);
});

test("waits grow to fifteen seconds and never vanish", () => {
  assert.equal(backoffS(0, 0.5), 0.5);
  assert.equal(backoffS(3, 0.5), 4);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const wait = backoffS(attempt);
    assert.ok(wait >= 0.375 && wait <= 18.75, `${attempt}: ${wait}`);
  }
});

test("each id passes once, and the memory stays small", () => {
  const once = new Once(3);
  assert.deepEqual(["a", "b", "a", "c", "b"].map((id) => once.isNew(id)), [true, true, false, true, false]);
  once.isNew("d");
  assert.equal(once.seen.size, 3);
  assert.equal(once.isNew("d"), false);
});

test("key units are known by their type", () => {
  assert.equal(isKeyUnit(new Uint8Array([0, 0, 0, 1, 0x67, 1, 2])), true);
  assert.equal(isKeyUnit(new Uint8Array([0, 0, 1, 0x65, 9])), true);
  assert.equal(isKeyUnit(new Uint8Array([0, 0, 1, 0x41, 9])), false);
  assert.equal(isKeyUnit(new Uint8Array([0, 0])), false);
});
