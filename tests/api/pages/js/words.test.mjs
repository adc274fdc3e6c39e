// Words, outcomes and choices: pure parts that several pages stand on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, preferred } from "../../../../api/web/pages/lib/i18n.js";
import { chooseVoice } from "../../../../api/web/pages/lib/voice.js";
import * as edit from "../../../../api/web/pages/lib/outcome.js";
import { clockText, latestCall, ranked, sidesOf } from "../../../../api/web/pages/lib/match.js";
import { problem } from "../../../../api/web/pages/parts/banner.js";
import { frameAt } from "../../../../api/web/pages/parts/replay.js";
import { addressesFor, codeSource } from "../../../../api/web/pages/parts/pairing.js";
import { codeIn } from "../../../../api/web/pages/lib/pair.js";
import { declarations } from "../../../../api/web/pages/lib/declared.js";
import { words } from "../../../../api/web/pages/parts/difference.js";
import { matchRequest, readRulesets } from "../../../../api/web/pages/setup/plan.js";

test("the address goes before the choice, the choice before the browser", () => {
  assert.equal(preferred("?lang=hi", "sv", ["ja"]), "hi");
  assert.equal(preferred("", "sv", ["ja"]), "sv");
  assert.equal(preferred("?lang=xx", null, ["de-DE", "ja-JP"]), "ja");
  assert.equal(preferred("", null, ["de"]), "en");
});

test("plurals and names are filled in; unknown names stay visible", () => {
  const rules = new Intl.PluralRules("en");
  const entry = { one: "{n} due", other: "{n} dues" };
  assert.equal(fill(entry, { n: 1 }, rules), "1 due");
  assert.equal(fill(entry, { n: 2 }, rules), "2 dues");
  assert.equal(fill("{who} wins", {}, rules), "{who} wins");
  assert.equal(fill(undefined, {}, rules), undefined);
});

test("a voice of the language, or none at all", () => {
  const voices = [{ lang: "en_US" }, { lang: "sv-SE", localService: true }, { lang: "sv-FI", default: true }];
  assert.equal(chooseVoice(voices, "sv").lang, "sv-FI");
  assert.equal(chooseVoice(voices, "en").lang, "en_US");
  assert.equal(chooseVoice(voices, "hi"), null);
});

test("an outcome of events becomes the short form", () => {
  const short = edit.toShort({
    seat: "N",
    events: [
      { type: "first_contact", piece: "black" },
      { type: "pocketed", piece: "black", pocket: "SW" },
      { type: "pocketed", piece: "striker" },
      { type: "on_frame", piece: "white" },
      { type: "touched", piece: "white", by: "hand", moved: true },
    ],
  });
  assert.deepEqual(short, {
    seat: "N",
    pocketed: [{ piece: "black", pocket: "SW" }],
    left: ["white"],
    striker: "pocketed",
    first: "black",
    fouls: ["touched"],
  });
});

test("no more can fall than lay there", () => {
  const short = edit.addLeft(edit.addPocketed(edit.emptyOutcome("S"), "white"), "white");
  assert.equal(edit.room(short, "white", { white: 2 }), 0);
  assert.equal(edit.room(short, "black", { white: 2, black: 1 }), 1);
  assert.equal(edit.room(short, "queen", undefined), Infinity);
});

test("the order of pieces does not make a difference", () => {
  const a = edit.addPocketed(edit.addPocketed(edit.emptyOutcome("S"), "white", "NE"), "black");
  const b = edit.addPocketed(edit.addPocketed(edit.emptyOutcome("S"), "black"), "white", "NE");
  assert.ok(edit.same(a, b));
  assert.ok(!edit.same(a, edit.setPocket(b, 0, "NW")));
  assert.deepEqual(edit.toSend(edit.emptyOutcome("S")), { seat: "S", pocketed: [], striker: "ok" });
});

test("partners share a side, singles are one of their own", () => {
  const match = { players: { S: "a", W: "b", N: "c", E: "d" }, colours: { S: "white", N: "white", W: "black", E: "black" } };
  const sides = sidesOf(match, { turn: "N", score: { white: 3 }, debts: {}, games: {}, on_board: { white: 4 } });
  assert.deepEqual(sides.map((side) => [side.side, side.seats, side.points, side.isOnTurn]), [
    ["white", ["S", "N"], 3, true],
    ["black", ["W", "E"], 0, false],
  ]);
  const three = sidesOf({ players: { S: "", W: "", N: "" }, colours: {} }, { points_of: { S: 5, W: 1, N: 2 } });
  assert.deepEqual(three.map((side) => side.points), [5, 1, 2]);
});

test("the latest call and the likeliest answer", () => {
  assert.equal(latestCall([{ n: 4 }, { n: 9 }, { n: 5 }]).n, 9);
  assert.equal(latestCall([]), null);
  assert.deepEqual(ranked([{ code: "a", likelihood: 0.2 }, { code: "b", likelihood: 0.7 }]).map((x) => x.code), ["b", "a"]);
});

test("clocks never show less than nothing", () => {
  assert.equal(clockText(61.2), "1:02");
  assert.equal(clockText(-3), "0:00");
});

test("the most pressing trouble wins", () => {
  assert.equal(problem("lost", {}, { state: "lost" }).key, "link.lost");
  assert.equal(problem("live", { sight: "dark" }, { state: "stale" }).key, "camera.stale");
  assert.equal(problem("live", { sight: "moved" }, { state: "live", calibrated: true }).key, "sight.moved");
  assert.equal(problem("live", { sight: "lost" }, { state: "none" }), null);
  assert.equal(problem("live", { sight: "good" }, { state: "live", calibrated: true }), null);
});

test("frames are found by their own times", () => {
  const frames = [{ t_s: 10 }, { t_s: 10.1 }, { t_s: 10.5 }];
  assert.deepEqual([0, 0.09, 0.11, 0.5, 9].map((s) => frameAt(frames, s)), [0, 0, 1, 2, 2]);
});

test("codes come as SVG or as addresses, and by role", () => {
  const pairing = { addresses: [{ url: "a", role: "camera" }, { url: "b", role: "viewer" }] };
  assert.equal(addressesFor(pairing, "viewer")[0].url, "b");
  assert.equal(addressesFor({ addresses: [{ url: "c" }] }, "camera")[0].url, "c");
  assert.ok(codeSource("<svg/>").startsWith("data:image/svg+xml"));
  assert.ok(decodeURIComponent(codeSource("<svg width='9'/>")).includes("xmlns="));
  assert.equal(codeSource("/qr.svg"), "/qr.svg");
  assert.equal(codeSource(undefined), null);
});

test("codes are taken from addresses of codes only", () => {
  assert.equal(codeIn("/cam", "#abcdefgh1234"), "abcdefgh1234");
  assert.equal(codeIn("/setup", "#camera-is-next"), null);
  assert.equal(codeIn("/stroke/12", "#replay-it-now"), null);
  assert.equal(codeIn("/", "#main"), null);
});

test("each ruleset has its own words for improper strokes", () => {
  const kinds = (rules) => declarations(rules, ["white"]).filter((d) => d.event.kind).map((d) => d.event.kind);
  assert.ok(kinds("hikone").includes("pocket_underside"));
  assert.ok(kinds("icf").includes("hand_supported"));
  assert.ok(!kinds("icf").includes("pocket_underside"));
  assert.deepEqual(kinds("point_carrom_se"), kinds("carrom_se"));
});

test("differences read as words whatever they are made of", () => {
  assert.equal(words({ call: { en: "Foul." } }), "Foul.");
  assert.equal(words(null), "–");
  assert.equal(words([3, "x"]), "3, x");
});

test("rulesets by name or in a row are read alike", () => {
  const row = readRulesets({ rulesets: [{ id: "icf", players: [2] }] });
  const named = readRulesets({ rulesets: { icf: { players: [2] } } });
  assert.deepEqual(row, named);
  assert.deepEqual(readRulesets({}), []);
});

test("a match is asked for with its seats and trimmed names", () => {
  const plan = { rules: "icf", options: {}, count: 2, names: { S: " Asha ", W: "x" }, opener: "N", mode: "casual" };
  assert.deepEqual(matchRequest(plan).players, { S: "Asha", N: "" });
});
