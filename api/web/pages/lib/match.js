// Questions about a match that several parts of the pages ask.

export const SEATS = ["S", "W", "N", "E"];

/** The kinds of discs a board is played with, men first. */
export const kindsOf = (board) =>
  String(board).startsWith("hikone") ? ["red", "green", "jack"] : ["white", "black", "queen"];

/** The seats that are taken, in the order of play. */
export const seatsOf = (match) => SEATS.filter((seat) => match?.players && seat in match.players);

/** Sides as they are shown: who plays together, under which colour, with what score. */
export function sidesOf(match, state) {
  const seats = seatsOf(match);
  const colours = match?.colours ?? {};
  const groups = new Map();
  for (const seat of seats) {
    const key = colours[seat] ?? seat;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(seat);
  }
  return [...groups].map(([side, members]) => ({
    side,
    seats: members,
    colour: side in { white: 1, black: 1, red: 1, green: 1 } ? side : null,
    names: members.map((seat) => match.players[seat] || null),
    points: state?.score?.[side] ?? state?.points_of?.[members[0]] ?? 0,
    debt: state?.debts?.[side] ?? 0,
    games: state?.games?.[side] ?? state?.games?.[members[0]] ?? 0,
    left: state?.on_board?.[side] ?? null,
    isOnTurn: members.includes(state?.turn),
  }));
}

/** The latest of a list of calls, whatever their order. */
export const latestCall = (calls) =>
  (calls ?? []).reduce((last, call) => (!last || call.n >= last.n ? call : last), null);

/** Answers of a question, the likeliest first. */
export const ranked = (answers) => [...(answers ?? [])].sort((a, b) => b.likelihood - a.likelihood);

/** Seconds as minutes and seconds. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const rest = String(whole % 60).padStart(2, "0");
  return `${Math.floor(whole / 60)}:${rest}`;
}
