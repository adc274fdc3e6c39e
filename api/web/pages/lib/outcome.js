// A stroke in the short form of the protocol, as the form for manual play and correction edits it.

/** What a stroke is before anything is entered: nothing happened. */
export const emptyOutcome = (seat) => ({
  seat,
  pocketed: [],
  left: [],
  striker: "ok",
  first: null,
  fouls: [],
});

/** The short form of a stroke that the server sent, short or as events (`carrom.codec`). */
export function toShort(outcome, seat = null) {
  if (!outcome) return emptyOutcome(seat);
  if (!outcome.events) return { ...emptyOutcome(outcome.seat ?? seat), ...outcome };
  const short = emptyOutcome(outcome.seat ?? seat);
  for (const event of outcome.events) takeEvent(short, event);
  return short;
}

function takeEvent(short, event) {
  const isStriker = event.piece === "striker";
  switch (event.type) {
    case "pocketed":
      if (isStriker) short.striker = "pocketed";
      else short.pocketed.push({ piece: event.piece, pocket: event.pocket ?? null });
      break;
    case "off_board":
    case "on_frame":
      if (isStriker) short.striker = "off";
      else short.left.push(event.piece);
      break;
    case "first_contact":
      short.first = event.piece ?? null;
      break;
    case "no_contact":
      short.first = "none";
      break;
    case "contact":
    case "no_piece_pocketed":
    case "bounced_back":
    case "placement":
    case "standing":
      break;
    default:
      if (!short.fouls.includes(event.type)) short.fouls.push(event.type);
  }
}

/** The same without what says nothing, ready to be sent. */
export function toSend(short) {
  const out = { seat: short.seat, pocketed: short.pocketed.map(withoutNull), striker: short.striker };
  if (short.left.length) out.left = short.left;
  if (short.first) out.first = short.first;
  if (short.fouls.length) out.fouls = short.fouls;
  return out;
}

const withoutNull = ({ piece, pocket }) => (pocket ? { piece, pocket } : { piece });

export const addPocketed = (short, piece, pocket = null) => ({
  ...short,
  pocketed: [...short.pocketed, { piece, pocket }],
});
export const removePocketed = (short, index) => ({
  ...short,
  pocketed: short.pocketed.filter((_, i) => i !== index),
});
export const setPocket = (short, index, pocket) => ({
  ...short,
  pocketed: short.pocketed.map((item, i) =>
    i === index ? { ...item, pocket: item.pocket === pocket ? null : pocket } : item,
  ),
});
export const addLeft = (short, piece) => ({ ...short, left: [...short.left, piece] });
export const removeLeft = (short, index) => ({
  ...short,
  left: short.left.filter((_, i) => i !== index),
});
export const toggleFoul = (short, foul) => ({
  ...short,
  fouls: short.fouls.includes(foul)
    ? short.fouls.filter((name) => name !== foul)
    : [...short.fouls, foul],
});

/** How many more of `piece` can be entered, given how many lay on the board. */
export function room(short, piece, onBoard) {
  const there = onBoard?.[piece];
  if (there === undefined) return Infinity;
  const used =
    short.pocketed.filter((item) => item.piece === piece).length +
    short.left.filter((name) => name === piece).length;
  return there - used;
}

/** Whether two outcomes say the same; pieces in any order. */
export function same(a, b) {
  const form = (o) => {
    const pocketed = o.pocketed.map(({ piece, pocket }) => `${piece}@${pocket ?? ""}`).sort();
    return JSON.stringify([o.seat, pocketed, [...o.left].sort(), o.striker, o.first ?? null, [...o.fouls].sort()]);
  };
  return form(a) === form(b);
}
