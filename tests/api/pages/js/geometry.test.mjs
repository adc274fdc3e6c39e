// Millimetres to pixels: everything that is drawn on the picture stands on these maps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, fromPoints, invert, isConvex, scaleAt, surfaceCorners } from "../../../../api/web/pages/lib/homography.js";
import { boardOf, cameraView, drawnView, turned } from "../../../../api/web/pages/board/view.js";
import { fromSeat, strikingStrip } from "../../../../api/web/pages/board/overlay.js";
import { startCorners } from "../../../../api/web/pages/setup/corners_step.js";

const CORNERS = [[400, 120], [880, 130], [930, 640], [350, 600]];
const near = (a, b, tolerance = 1e-6) =>
  a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < tolerance, `${a} is not ${b}`));

test("the map of four corners meets them, and its inverse leads back", () => {
  const matrix = fromPoints(surfaceCorners(370), CORNERS);
  surfaceCorners(370).forEach((corner, i) => near(apply(matrix, corner), CORNERS[i]));
  near(apply(invert(matrix), apply(matrix, [123, -45])), [123, -45]);
});

test("lines stay lines", () => {
  const matrix = fromPoints(surfaceCorners(370), CORNERS);
  const [a, b, c] = [-200, 10, 300].map((x) => apply(matrix, [x, 50]));
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  assert.ok(Math.abs(area) < 1e-6);
});

test("scale is that of small squares", () => {
  assert.ok(Math.abs(scaleAt([[2, 0, 5], [0, 2, 9], [0, 0, 1]], [7, 8]) - 2) < 1e-9);
});

test("three corners on a line give no map", () => {
  assert.equal(fromPoints(surfaceCorners(370), [[0, 0], [1, 1], [2, 2], [5, 0]]), null);
  assert.equal(invert([[1, 2, 3], [2, 4, 6], [0, 0, 1]]), null);
});

test("crossed corners are known", () => {
  assert.equal(isConvex(CORNERS), true);
  assert.equal(isConvex([CORNERS[1], CORNERS[0], CORNERS[2], CORNERS[3]]), false);
  assert.equal(isConvex(startCorners([640, 480])), true);
});

test("four quarters are a whole turn, and South sits below", () => {
  const at = [12, -300];
  let now = at;
  for (let i = 0; i < 4; i += 1) now = turned(now, 1);
  near(now, at);
  assert.ok(drawnView("icf", 0).project([0, -250])[1] > 0);
  assert.ok(drawnView("icf", 2).project([0, 250])[1] > 0);
  assert.ok(drawnView("icf", 1).project([250, 0])[1] > 0);
});

test("a turned picture keeps its places on the picture", () => {
  const matrix = fromPoints(surfaceCorners(370), CORNERS);
  for (const quarter of [0, 1, 2, 3]) {
    const view = cameraView("icf", matrix, [1280, 720], quarter);
    const [x, y] = view.project([10, 20]);
    assert.ok(x > view.box[0] && x < view.box[0] + view.box[2], `${quarter}: ${x}`);
    assert.ok(y > view.box[1] && y < view.box[1] + view.box[3], `${quarter}: ${y}`);
    assert.ok(view.box[0] >= 0 && view.box[0] + view.box[2] <= view.whole[0] + 1e-9);
  }
});

test("strips lie before their seats", () => {
  for (const name of ["icf", "hikone"]) {
    for (const [seat, axis, sign] of [["S", 1, -1], ["N", 1, 1], ["E", 0, 1], ["W", 0, -1]]) {
      const { ends } = strikingStrip(boardOf(name), seat);
      ends.forEach((end) => assert.ok(Math.sign(end[axis]) === sign, `${name} ${seat} ${end}`));
      near([fromSeat(seat, [0, -100])[axis]], [100 * sign]);
    }
  }
});
