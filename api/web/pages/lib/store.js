// What the pages know, as signals: drawn parts that read one are drawn again when it changes.
import { computed, signal } from "./ui.js";

/** The last snapshot, or null before the first. */
export const snapshot = signal(null);
/** The table of the frame that is shown (changes with every frame). */
export const table = signal(null);
/** connecting, live, polling or lost. */
export const link = signal("connecting");
/** Whether a picture has been drawn since the camera was opened. */
export const pictured = signal(false);
/** Size in pixels of the pictures that come (they may be smaller than the camera's). */
export const pictureSize = signal(null);
/** A refused command: {kind: "conflict", since, again} or {kind: "refused", message}. */
export const trouble = signal(null);

export const match = computed(() => snapshot.value?.match ?? null);
export const state = computed(() => snapshot.value?.state ?? null);
export const camera = computed(() => snapshot.value?.camera ?? { state: "none" });
export const boardName = computed(
  () => snapshot.value?.match?.board ?? snapshot.value?.camera?.board?.spec ?? "icf",
);
/** The seat on turn, or null. */
export const turn = computed(() => snapshot.value?.state?.turn ?? null);
export const isTournament = computed(() => snapshot.value?.match?.mode === "tournament");

/** What one viewer likes, kept in this browser. */
export function liking(name, initial) {
  const key = `carrom.${name}`;
  let start = initial;
  try {
    const kept = localStorage.getItem(key);
    if (kept !== null) start = JSON.parse(kept);
  } catch {
    start = initial;
  }
  const value = signal(start);
  value.subscribe((now) => {
    try {
      localStorage.setItem(key, JSON.stringify(now));
    } catch {
      // Kept for this visit only.
    }
  });
  return value;
}

export const view = liking("view", "auto"); // auto, camera or drawn
export const quarter = liking("quarter", 0); // which way up this viewer sees the board
export const letters = liking("letters", true);
export const showAdvice = liking("advice", true);
export const voiceOn = liking("voice", false);
export const codec = liking("codec", "jpeg");
export const theme = liking("theme", "auto");

theme.subscribe((wanted) => {
  if (typeof document === "undefined") return;
  if (wanted === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
});

/** Take a snapshot unless it is older than the one we have. */
export function takeSnapshot(next) {
  if (!next) return;
  const known = snapshot.value;
  const sameMatch = known?.match?.id === next.match?.id;
  if (known && sameMatch && next.rev < known.rev && known.rev - next.rev < 1000) return;
  snapshot.value = next;
  if (next.table && (!table.value || next.camera?.state !== "live")) table.value = next.table;
}
