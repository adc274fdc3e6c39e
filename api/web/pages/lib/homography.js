// Projective maps as rows of a 3 x 3 matrix: board millimetres to pixels of the picture.

/** The place that `matrix` takes (x, y) to. */
export function apply(matrix, [x, y]) {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2]);
  return [a / c, b / c];
}

/** How many pixels one millimetre is at (x, y): the root of the area it is stretched by. */
export function scaleAt(matrix, [x, y]) {
  const [x0, y0] = apply(matrix, [x, y]);
  const [x1, y1] = apply(matrix, [x + 1, y]);
  const [x2, y2] = apply(matrix, [x, y + 1]);
  return Math.sqrt(Math.abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)));
}

/** The map back, or null for a matrix that has none. */
export function invert(m) {
  const cofactor = (r, c) => {
    const [r1, r2] = [(r + 1) % 3, (r + 2) % 3];
    const [c1, c2] = [(c + 1) % 3, (c + 2) % 3];
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
  };
  const determinant = [0, 1, 2].reduce((sum, c) => sum + m[0][c] * cofactor(0, c), 0);
  if (!Number.isFinite(determinant) || Math.abs(determinant) < 1e-12) return null;
  return [0, 1, 2].map((r) => [0, 1, 2].map((c) => cofactor(c, r) / determinant));
}

/** The corners of a surface of half side `half` in the order of the protocol: NW NE SE SW. */
export const surfaceCorners = (half) => [
  [-half, half],
  [half, half],
  [half, -half],
  [-half, -half],
];

/** The map that takes four places to four others, or null where three lie on a line. */
export function fromPoints(from, to) {
  const rows = [];
  from.forEach(([x, y], i) => {
    const [u, v] = to[i];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u]);
    rows.push([0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  const h = solve(rows);
  const matrix = h && [h.slice(0, 3), h.slice(3, 6), [h[6], h[7], 1]];
  return matrix && invert(matrix) ? matrix : null;
}

/** Solve n equations (the last column is the right side) by elimination with pivots. */
function solve(rows) {
  const n = rows.length;
  for (let k = 0; k < n; k += 1) {
    let best = k;
    for (let r = k + 1; r < n; r += 1) if (Math.abs(rows[r][k]) > Math.abs(rows[best][k])) best = r;
    if (Math.abs(rows[best][k]) < 1e-9) return null;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let r = 0; r < n; r += 1) {
      if (r === k) continue;
      const factor = rows[r][k] / rows[k][k];
      for (let c = k; c <= n; c += 1) rows[r][c] -= factor * rows[k][c];
    }
  }
  return rows.map((row, k) => row[n] / row[k]);
}

/** Whether four corners in order make a convex figure of some size (so that a board fits). */
export function isConvex(corners) {
  const turns = corners.map((a, i) => {
    const b = corners[(i + 1) % 4];
    const c = corners[(i + 2) % 4];
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
  });
  return turns.every((t) => t > 100) || turns.every((t) => t < -100);
}
