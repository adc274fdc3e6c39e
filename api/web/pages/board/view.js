// How board millimetres come onto the screen: one drawn board, or the picture of the camera.
import { apply, scaleAt } from "../lib/homography.js";
import { BOARDS } from "./standard_boards.js";

/** The board by name; unknown ones are drawn as the Indian board. */
export const boardOf = (name) => BOARDS[name] ?? (name?.startsWith("hikone") ? BOARDS.hikone : BOARDS.icf);

/** A place in the board frame, turned clockwise by quarters. */
export function turned([x, y], quarter) {
  return [
    [x, y],
    [y, -x],
    [-x, -y],
    [-y, x],
  ][quarter & 3];
}

/** Radius of a disc, mm; kinds that a board does not know are as big as its smallest. */
export const radiusOf = (board, kind) => board.radii[kind] ?? Math.min(...Object.values(board.radii));

/** How much of the frame is drawn, mm: enough to see it, the room is for the board. */
export const frameShown = (board) => Math.min(board.frame, 40);

/** The clean board: x and y in mm, y downwards on the screen. `box`: x, y, width, height. */
export function drawnView(name, quarter = 0) {
  const board = boardOf(name);
  const reach = board.half + frameShown(board);
  return {
    kind: "drawn",
    board,
    quarter,
    box: [-reach, -reach, 2 * reach, 2 * reach],
    project: (at) => {
      const [x, y] = turned(at, quarter);
      return [x, -y];
    },
    scale: () => 1,
  };
}

/** The camera's picture; `size` in px as the homography means it, cut to the board's surroundings. */
export function cameraView(name, homography, size, quarter = 0) {
  const board = boardOf(name);
  const [width, height] = size;
  const turn = ([u, v]) =>
    [
      [u, v],
      [height - v, u],
      [width - u, height - v],
      [v, width - u],
    ][quarter & 3];
  const whole = quarter % 2 ? [height, width] : [width, height];
  const project = (at) => turn(apply(homography, at));
  return {
    kind: "camera",
    board,
    quarter,
    whole,
    box: crop(board, project, whole),
    project,
    scale: (at) => scaleAt(homography, at),
  };
}

/** The part of the picture worth showing: the board with its frame and room for hands. */
function crop(board, project, [width, height]) {
  const reach = board.half + board.frame * 1.6;
  const corners = [
    [-reach, -reach],
    [reach, -reach],
    [reach, reach],
    [-reach, reach],
  ].map(project);
  const us = corners.map(([u]) => u);
  const vs = corners.map(([, v]) => v);
  const left = Math.max(0, Math.min(...us));
  const top = Math.max(0, Math.min(...vs));
  const right = Math.min(width, Math.max(...us));
  const bottom = Math.min(height, Math.max(...vs));
  if (!(right - left > 40 && bottom - top > 40)) return [0, 0, width, height];
  return [left, top, right - left, bottom - top];
}

/** Points of a polyline as the attribute that SVG wants. */
export const points = (view, places) =>
  places.map((at) => view.project(at).map((c) => c.toFixed(1)).join(",")).join(" ");
