// What the wizard has gathered, kept in this browser so that the next match starts in one tap.
import { signal } from "../lib/ui.js";

const KEY = "carrom.setup";

export const RULESETS = [
  { id: "icf", board: "icf", players: [2, 4] },
  { id: "gamerules", board: "icf", players: [2, 4] },
  { id: "carrom_se", board: "icf", players: [2, 4] },
  { id: "point_gamerules", board: "icf", players: [3] },
  { id: "point_carrom_se", board: "icf", players: [3] },
  { id: "hikone", board: "hikone", players: [2, 4] },
];

const SEATS_OF = { 2: ["S", "N"], 3: ["S", "W", "N"], 4: ["S", "W", "N", "E"] };

export const initialPlan = () => ({
  rules: "icf",
  options: {},
  count: 2,
  names: {},
  opener: "S",
  mode: "casual",
});

function restored() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** The plan of the last match, or null. */
export const remembered = restored();
export const plan = signal({ ...initialPlan(), ...remembered });

/** Rulesets as the server has them, laid over what the page knows by itself. */
export const rulesets = signal(RULESETS);

/** Read the server's list, whatever its form: by name or in a row. */
export function readRulesets(data) {
  const found = data?.rulesets ?? data?.rules ?? data ?? [];
  const rows = Array.isArray(found) ? found : Object.entries(found).map(([id, item]) => ({ id, ...item }));
  const usable = rows.filter((row) => row && (row.id ?? row.name ?? row.rules));
  return usable.map((row) => {
    const id = row.id ?? row.rules ?? row.name;
    const known = RULESETS.find((one) => one.id === id);
    const players = row.players ?? known?.players ?? [2, 4];
    return { ...known, ...row, id, players: Array.isArray(players) ? players : [players] };
  });
}

export const rulesetOf = (id) => rulesets.value.find((one) => one.id === id) ?? rulesets.value[0];
export const seatsFor = (count) => SEATS_OF[count] ?? SEATS_OF[2];

/** Change the plan; what no longer fits (number of players, opener) follows. */
export function change(part) {
  const next = { ...plan.value, ...part };
  const allowed = rulesetOf(next.rules)?.players ?? [2];
  if (!allowed.includes(next.count)) next.count = allowed[0];
  if (!seatsFor(next.count).includes(next.opener)) next.opener = "S";
  if (part.rules && part.rules !== plan.value.rules) next.options = {};
  plan.value = next;
}

/** The body of POST /api/matches. */
export function matchRequest({ rules, options, count, names, opener, mode }) {
  const players = Object.fromEntries(seatsFor(count).map((seat) => [seat, (names[seat] ?? "").trim()]));
  return { rules, options, players, opener, mode, title: "" };
}

export function remember() {
  try {
    localStorage.setItem(KEY, JSON.stringify(plan.value));
  } catch {
    // The next match is set up by hand.
  }
}
