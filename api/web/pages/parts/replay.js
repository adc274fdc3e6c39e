// The frames kept of a stroke: slow motion, frame by frame, with the overlay.
import { BoardDrawing } from "../board/drawing.js";
import { Discs } from "../board/overlay.js";
import { cameraView, drawnView } from "../board/view.js";
import { get } from "../lib/api.js";
import { number, t } from "../lib/i18n.js";
import { boardName, camera, letters } from "../lib/store.js";
import { html, useEffect, useRef, useState } from "../lib/ui.js";
import { Choice } from "./choice.js";

/** The index of the frame that is shown `playedS` seconds after the first. */
export function frameAt(frames, playedS) {
  const start = frames[0]?.t_s ?? 0;
  let index = 0;
  while (index + 1 < frames.length && frames[index + 1].t_s - start <= playedS) index += 1;
  return index;
}

export function Replay({ stroke }) {
  const [frames, setFrames] = useState(null);
  const [index, setIndex] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(0.25);
  const [overlay, setOverlay] = useState(true);
  useEffect(() => {
    get(`/api/strokes/${stroke}/replay`)
      .then((data) => setFrames(data?.frames ?? []))
      .catch(() => setFrames([]));
  }, [stroke]);
  usePlaying(frames, isPlaying, speed, index, setIndex, () => setPlaying(false));
  if (frames === null) return html`<p class="faint">${t("loading")}</p>`;
  if (!frames.length) return html`<p class="faint replay-none">${t("replay.none")}</p>`;
  const step = (by) => {
    setPlaying(false);
    setIndex((now) => Math.min(frames.length - 1, Math.max(0, now + by)));
  };
  const play = () => {
    if (!isPlaying && index === frames.length - 1) setIndex(0);
    setPlaying(!isPlaying);
  };
  const seconds = frames[index].t_s - frames[0].t_s;
  return html`<div class="replay" id="replay">
    <${Frame} frames=${frames} index=${index} overlay=${overlay} />
    <input type="range" min="0" max=${frames.length - 1} value=${index} aria-label=${t("replay.position")}
      aria-valuetext=${t("replay.at", { s: number(seconds, { maximumFractionDigits: 2 }), n: index + 1, of: frames.length })}
      onInput=${(event) => { setPlaying(false); setIndex(Number(event.currentTarget.value)); }} />
    <div class="row replay-buttons">
      <button type="button" aria-label=${t("replay.back")} disabled=${index === 0} onClick=${() => step(-1)}>◀︎❙</button>
      <button type="button" class="primary" onClick=${play}>${isPlaying ? t("replay.pause") : t("replay.play")}</button>
      <button type="button" aria-label=${t("replay.forward")} disabled=${index === frames.length - 1} onClick=${() => step(1)}>❙▶︎</button>
      <span class="faint">${number(seconds, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s</span>
    </div>
    <div class="row">
      <${Choice} legend=${t("replay.speed")} hideLegend compact value=${speed} onChange=${setSpeed}
        options=${[0.1, 0.25, 0.5, 1].map((value) => ({ value, label: `${number(value)}×` }))} />
      <button type="button" class="quiet" aria-pressed=${overlay} onClick=${() => setOverlay(!overlay)}>${t("replay.overlay")}</button>
      <a class="button quiet" href=${`/api/strokes/${stroke}/clip.mp4`} download=${`stroke-${stroke}.mp4`}>${t("replay.export")}</a>
    </div>
  </div>`;
}

/** Move on through the frames by their own times. */
function usePlaying(frames, isPlaying, speed, index, setIndex, onEnd) {
  useEffect(() => {
    if (!isPlaying || !frames?.length) return undefined;
    const offset = frames[index].t_s - frames[0].t_s;
    const begun = performance.now();
    let request = 0;
    const tick = () => {
      const next = frameAt(frames, offset + ((performance.now() - begun) / 1000) * speed);
      setIndex(next);
      if (next >= frames.length - 1) onEnd();
      else request = requestAnimationFrame(tick);
    };
    request = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(request);
  }, [isPlaying, speed, frames]);
}

function Frame({ frames, index, overlay }) {
  const images = useRef(new Map());
  const frame = frames[index];
  const [size, setSize] = useState(null);
  useEffect(() => {
    for (const { jpeg } of frames) {
      if (!jpeg || images.current.has(jpeg)) continue;
      const image = new Image();
      image.src = jpeg;
      images.current.set(jpeg, image);
    }
  }, [frames]);
  const matrix = frame.homography ?? camera.value.homography;
  const whole = camera.value.size ?? size;
  const hasPicture = Boolean(frame.jpeg);
  const canLay = !hasPicture || (matrix && whole);
  const view = hasPicture && canLay ? cameraView(boardName.value, matrix, whole) : drawnView(boardName.value);
  const full = hasPicture ? [0, 0, ...(whole ?? [1280, 720])] : view.box;
  return html`<div class=${`stage stage-still stage-${hasPicture ? "camera" : "drawn"}`} style=${{ aspectRatio: `${full[2]} / ${full[3]}` }}>
    ${hasPicture && html`<img src=${frame.jpeg} alt=${t("replay.frame", { n: index + 1 })} onLoad=${(event) => setSize([event.currentTarget.naturalWidth, event.currentTarget.naturalHeight])} />`}
    <svg viewBox=${full.join(" ")} aria-hidden="true">
      ${!hasPicture && html`<${BoardDrawing} view=${view} />`}
      ${overlay && canLay && html`<${Discs} view=${view} discs=${frame.discs} showLetter=${letters.value} />`}
    </svg>
  </div>`;
}
