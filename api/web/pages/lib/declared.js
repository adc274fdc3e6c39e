// The fouls that no camera sees, as the umpire declares them: the events of `carrom.events`.

const IMPROPER = {
  hikone: ["both_hands", "push", "on_edge", "leaning", "palm", "pocket_underside", "finger_on_top", "body_outside"],
  gamerules: ["push", "not_across_base_line", "hand_beyond_diagonal", "arm_beyond_diagonal", "leg_beyond_diagonal"],
  carrom_se: ["push", "hand_moving", "wrong_finger_side", "elbow_beyond_diagonal", "body_beyond_diagonal", "elbow_over_surface", "body_on_board"],
  icf: ["push", "elbow_beyond_diagonal", "body_beyond_diagonal", "hand_supported"],
};

const family = (rules) => String(rules ?? "icf").replace(/^point_/, "");

/** What can be declared under these rules: [{code, event}], the event without its seat. */
export function declarations(rules, kinds, strokeLimitS) {
  const name = family(rules);
  const limit = strokeLimitS ?? (name === "hikone" ? 10 : 15);
  const improper = (IMPROPER[name] ?? IMPROPER.icf).map((kind) => ({
    code: `improper.${kind}`,
    event: { type: "improper_stroke", kind },
  }));
  const touched = { code: "foul.touched", event: { type: "touched", piece: kinds[0], by: "hand", moved: true } };
  const late = { code: "foul.time_exceeded", event: { type: "time_exceeded", limit_s: limit, elapsed_s: limit + 1 } };
  const own = {
    hikone: [{ code: "foul.striker_recalled_early", event: { type: "striker_recalled_early" } }, { code: "foul.stalemate", event: { type: "stalemate" } }],
    carrom_se: [{ code: "foul.violation", event: { type: "violation", kind: "other" }, needsSeat: true }],
    icf: [
      { code: "foul.before_play_call", event: { type: "before_play_call" } },
      { code: "foul.violation", event: { type: "violation", kind: "other" }, needsSeat: true },
      { code: "foul.left_seat", event: { type: "left_seat" }, needsSeat: true },
    ],
  };
  const turn = { code: "foul.out_of_turn", event: { type: "out_of_turn" }, needsSeat: true };
  return [touched, late, ...(own[name] ?? []), turn, ...improper];
}
