// A phone as the camera: its back camera, one JPEG after the other by POST, two at most under way.
import { number, t } from "../lib/i18n.js";
import { paired } from "../lib/pair.js";
import { html, useEffect, useRef, useState } from "../lib/ui.js";
import { Choice } from "../parts/choice.js";
import { startPage } from "../parts/page.js";

const IN_FLIGHT = 2;
const SIZES = { 720: [1280, 720], 1080: [1920, 1080] };

/** Why there can be no camera here, as a key; null if nothing speaks against it yet. */
export function blocked(scope) {
  if (!scope.isSecureContext) return "cam.insecure";
  if (!scope.navigator?.mediaDevices?.getUserMedia) return "cam.unsupported";
  return null;
}

/** What went wrong when the camera was opened, as a key. */
export function openError(name) {
  if (name === "NotAllowedError" || name === "SecurityError") return "cam.denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "cam.not_found";
  if (name === "NotReadableError" || name === "AbortError") return "cam.busy";
  return "cam.failed";
}

class Sender {
  constructor(video, onState) {
    this.video = video;
    this.onState = onState;
    this.canvas = document.createElement("canvas");
    this.inFlight = 0;
    this.sent = [];
    this.isRunning = true;
    this.next();
  }

  next() {
    if (!this.isRunning) return;
    const go = () => {
      this.offer();
      this.next();
    };
    if (this.video.requestVideoFrameCallback) this.video.requestVideoFrameCallback(go);
    else setTimeout(go, 40);
  }

  offer() {
    if (this.inFlight >= IN_FLIGHT || !this.video.videoWidth || document.hidden) return;
    const takenMs = performance.timeOrigin + performance.now();
    this.canvas.width = this.video.videoWidth;
    this.canvas.height = this.video.videoHeight;
    this.canvas.getContext("2d").drawImage(this.video, 0, 0);
    this.inFlight += 1;
    this.canvas.toBlob((blob) => (blob ? this.send(blob, takenMs) : (this.inFlight -= 1)), "image/jpeg", 0.85);
  }

  async send(blob, takenMs) {
    try {
      const response = await fetch("/cam/frame", {
        method: "POST",
        headers: { "Content-Type": "image/jpeg", "X-Taken-Ms": String(Math.round(takenMs)) },
        body: blob,
        credentials: "same-origin",
      });
      if (response.ok) this.count();
      else this.onState({ trouble: response.status === 401 || response.status === 403 ? "cam.unpaired" : "cam.refused" });
      if (!response.ok) await new Promise((resolve) => setTimeout(resolve, 1000));
    } catch {
      this.onState({ trouble: "cam.offline" });
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    this.inFlight -= 1;
  }

  count() {
    const now = performance.now();
    this.sent = [...this.sent.filter((at) => now - at < 3000), now];
    const span = (now - this.sent[0]) / 1000;
    this.onState({ trouble: null, fps: span > 0.5 ? (this.sent.length - 1) / span : null });
  }

  stop() {
    this.isRunning = false;
  }
}

/** The screen stays on while the camera runs; asked for again whenever the page comes back. */
function useWakeLock(isOn) {
  useEffect(() => {
    if (!isOn || !("wakeLock" in navigator)) return undefined;
    let lock = null;
    const ask = async () => {
      try {
        if (!document.hidden) lock = await navigator.wakeLock.request("screen");
      } catch {
        lock = null;
      }
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      lock?.release();
    };
  }, [isOn]);
}

function Cam() {
  const video = useRef(null);
  const [stream, setStream] = useState(null);
  const [problem, setProblem] = useState(() => blocked(window));
  const [state, setState] = useState({ fps: null, trouble: null });
  const [size, setSize] = useState(720);
  const [isUpright, setUpright] = useState(false);
  useWakeLock(stream !== null);
  useEffect(() => {
    const look = () => setUpright(window.innerHeight > window.innerWidth);
    look();
    window.addEventListener("resize", look);
    return () => window.removeEventListener("resize", look);
  }, []);
  useEffect(() => {
    if (!stream) return undefined;
    video.current.srcObject = stream;
    video.current.play().catch(() => {});
    const sender = new Sender(video.current, (next) => setState((old) => ({ ...old, ...next })));
    return () => {
      sender.stop();
      stream.getTracks().forEach((track) => track.stop());
    };
  }, [stream]);
  const start = async () => {
    await paired;
    const [width, height] = SIZES[size];
    try {
      const opened = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: "environment", width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 } },
      });
      holdStill(opened.getVideoTracks()[0]);
      opened.getVideoTracks()[0].onended = () => { setStream(null); setProblem("cam.ended"); };
      setProblem(null);
      setStream(opened);
    } catch (error) {
      setProblem(openError(error.name));
    }
  };
  return html`<div class="cam-page">
    <h1>${t("cam")}</h1>
    ${problem && html`<div class="banner banner-bad" role="alert"><p><strong>${t(problem)}</strong> ${t(`${problem}.do`)}</p></div>`}
    ${stream && html`<video ref=${video} playsinline muted aria-label=${t("cam.picture")}></video>`}
    ${stream && html`<p class="cam-state" role="status">
      ${state.trouble ? t(state.trouble) : state.fps ? t("cam.sending", { n: number(state.fps, { maximumFractionDigits: 0 }) }) : t("cam.starting")}
    </p>`}
    ${isUpright && html`<p class="cam-hint">${t("cam.turn")}</p>`}
    ${!stream && html`<ul class="cam-tips">${["cam.tip.above", "cam.tip.light", "cam.tip.power"].map((key) => html`<li>${t(key)}</li>`)}</ul>
      <${Choice} legend=${t("cam.size")} compact value=${size} onChange=${setSize} options=${[720, 1080].map((value) => ({ value, label: `${value}p` }))} />
      <button type="button" class="primary big" disabled=${problem === "cam.insecure" || problem === "cam.unsupported"} onClick=${start}>${t("cam.start")}</button>`}
    ${stream && html`<button type="button" class="big" onClick=${() => setStream(null)}>${t("cam.stop")}</button>`}
  </div>`;
}

/** Exposure, white balance and focus are held where the phone allows it: light that jumps misleads. */
async function holdStill(track) {
  const can = track.getCapabilities?.() ?? {};
  const wanted = {};
  for (const name of ["focusMode", "whiteBalanceMode", "exposureMode"]) {
    if (can[name]?.includes("continuous")) wanted[name] = "continuous";
  }
  await new Promise((resolve) => setTimeout(resolve, 2500));
  for (const name of Object.keys(wanted)) if (can[name].includes("manual")) wanted[name] = "manual";
  if (Object.keys(wanted).length) await track.applyConstraints({ advanced: [wanted] }).catch(() => {});
}

startPage("cam", Cam, { bare: true });
