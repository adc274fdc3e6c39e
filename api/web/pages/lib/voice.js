// The caller: speaks each call once, in the language of the page; a chime where there is no voice.
import { language, pick } from "./i18n.js";
import { Once } from "./live_message.js";
import { signal } from "./ui.js";
import { voiceOn } from "./store.js";

/** The last thing said, as text: shown whether or not there is a voice. */
export const lastSaid = signal("");
const once = new Once();
let audio = null;
const CHIMES = { foul: [392, 330], point: [523, 659], question: [587, 587], over: [523, 659, 784] };

/** The best voice for a language: its own prefix, local before remote; null if there is none. */
export function chooseVoice(voices, code) {
  const fitting = voices.filter((v) => v.lang.toLowerCase().replace("_", "-").split("-")[0] === code);
  return fitting.find((v) => v.default) ?? fitting.find((v) => v.localService) ?? fitting[0] ?? null;
}

/** Take what the table says; everything is said once, also after a reconnection. */
export function hear(items) {
  for (const item of items ?? []) {
    if (!once.isNew(item.id)) continue;
    const text = pick(item.text);
    lastSaid.value = text;
    if (voiceOn.value) say(text, item.chime);
  }
}

/** To be called by a click: browsers allow sound only after one. */
export function enableVoice(text) {
  voiceOn.value = true;
  audio ??= "AudioContext" in window ? new AudioContext() : null;
  audio?.resume?.();
  if ("speechSynthesis" in window) speechSynthesis.getVoices();
  say(text, "point");
}

export function disableVoice() {
  voiceOn.value = false;
  if ("speechSynthesis" in window) speechSynthesis.cancel();
}

function say(text, chime) {
  const code = language.value;
  const voices = "speechSynthesis" in window ? speechSynthesis.getVoices() : [];
  const voice = chooseVoice(voices, code);
  if (!voice || !text) {
    ring(CHIMES[chime] ?? CHIMES.point);
    return;
  }
  const words = new SpeechSynthesisUtterance(text);
  words.voice = voice;
  words.lang = voice.lang;
  speechSynthesis.speak(words);
}

function ring(tones) {
  if (!audio) return;
  tones.forEach((frequency, i) => {
    const at = audio.currentTime + i * 0.18;
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.2, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
    tone.connect(loudness).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  });
}

// A page that starts with the voice on may not sound before the first touch: use that touch.
if (typeof window !== "undefined") {
  const ready = () => {
    if (!voiceOn.value) return;
    audio ??= "AudioContext" in window ? new AudioContext() : null;
    audio?.resume?.();
  };
  window.addEventListener("pointerdown", ready, { once: true });
  window.addEventListener("keydown", ready, { once: true });
}
