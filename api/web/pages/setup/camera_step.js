// Which camera: by name and picture, a stream, a phone, or none.
import { get, post, remove, tell } from "../lib/api.js";
import { list, t } from "../lib/i18n.js";
import { live } from "../lib/live.js";
import { camera, pictured } from "../lib/store.js";
import { html, names, useEffect, useRef, useState } from "../lib/ui.js";
import { addressesFor, codeSource, usePairing } from "../parts/pairing.js";

export const chooseSource = (source) => tell(() => post("/api/camera", { source }).then(() => true));

export function CameraStep({ onNone }) {
  const [cameras, setCameras] = useState(null);
  const [showsPhone, setShowsPhone] = useState(false);
  const [url, setUrl] = useState("");
  const look = () => {
    setCameras(null);
    get("/api/cameras").then((found) => setCameras(found?.cameras ?? found ?? [])).catch(() => setCameras([]));
  };
  useEffect(look, []);
  const now = camera.value;
  const phone = async () => {
    setShowsPhone(true);
    await chooseSource("phone");
  };
  return html`<div>
    <h2>${t("setup.camera")}</h2>
    ${now.state !== "none" && html`<${Chosen} />`}
    <ul class="cameras">
      ${cameras === null && html`<li class="faint">${t("setup.camera.looking")}</li>`}
      ${(cameras ?? []).map((one) => html`<${Device} camera=${one} />`)}
      <li><button type="button" class="camera" onClick=${phone}><span class="camera-picture" aria-hidden="true"><svg width="40" height="64" viewBox="0 0 40 64"><rect x="3" y="3" width="34" height="58" rx="7" fill="none" stroke="currentColor" stroke-width="4" /><circle cx="20" cy="52" r="3" fill="currentColor" /></svg></span><span class="camera-name">${t("setup.camera.phone")}</span></button></li>
      <li><button type="button" class="camera" onClick=${onNone}><span class="camera-picture" aria-hidden="true"><svg width="56" height="56" viewBox="0 0 56 56" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"><path d="M12 44l4-12 22-22 8 8-22 22zM33 15l8 8" stroke-linejoin="round" /></svg></span><span class="camera-name">${t("setup.camera.none")}</span></button></li>
    </ul>
    <button type="button" class="quiet" onClick=${look}>${t("setup.camera.again")}</button>
    ${showsPhone && html`<${Phone} />`}
    <details class="more"><summary>${t("setup.camera.url")}</summary>
      <form class="row" onSubmit=${(event) => { event.preventDefault(); chooseSource(url.trim()); }}>
        <label class="field grow"><span>${t("setup.camera.address")}</span>
          <input type="url" value=${url} placeholder="rtsp://192.168.1.20/stream" onInput=${(event) => setUrl(event.currentTarget.value)} required /></label>
        <button type="submit" class="primary">${t("setup.camera.open")}</button>
      </form>
      <p class="faint">${t("setup.camera.file")}</p>
    </details>
  </div>`;
}

function Device({ camera: one }) {
  const isOn = camera.value.source?.name === one.name && camera.value.state !== "none";
  return html`<li><button type="button" class=${names("camera", isOn && "camera-on")} aria-pressed=${isOn} onClick=${() => chooseSource(sourceOf(one.id))}>
    ${one.thumbnail ? html`<img class="camera-picture" src=${one.thumbnail} alt="" />` : html`<span class="camera-picture" aria-hidden="true"><svg width="64" height="48" viewBox="0 0 64 48" fill="none" stroke="currentColor" stroke-width="4"><rect x="3" y="9" width="58" height="36" rx="6" /><circle cx="32" cy="27" r="10" /><path d="M22 9l4-6h12l4 6" stroke-linejoin="round" /></svg></span>`}
    <span class="camera-name">${one.name}</span>
  </button></li>`;
}

/** Ids of the list are either whole sources or those of USB cameras. */
export const sourceOf = (id) => (/^[a-z]+:/.test(String(id)) || ["phone", "virtual"].includes(id) ? String(id) : `usb:${id}`);

/** The camera that is on, with its picture: the proof that it is the right one. */
function Chosen() {
  const canvas = useRef(null);
  useEffect(() => live.painter.add(canvas.current, 0), []);
  const { state, source, fps, size } = camera.value;
  const facts = [source?.name, size?.join(" × "), fps ? t("cam.sending", { n: Math.round(fps) }) : ""];
  return html`<div class="chosen" data-state=${state}>
    <canvas ref=${canvas} aria-label=${t("setup.camera.picture")} role="img" class=${pictured.value ? "" : "waiting"}></canvas>
    <p role="status">${state === "live" ? list(facts) : t(`camera.${state}`)}</p>
    <button type="button" class="quiet" onClick=${() => { pictured.value = false; tell(() => remove("/api/camera").then(() => true)); }}>${t("setup.camera.release")}</button>
  </div>`;
}

function Phone() {
  const pairing = usePairing();
  const [best] = addressesFor(pairing, "camera");
  const source = codeSource(best?.qr ?? best?.svg);
  return html`<div class="card phone-code">
    <p>${t("setup.phone")}</p>
    ${source && html`<img src=${source} alt=${t("setup.phone.code")} width="220" height="220" />`}
    ${best && html`<p class="join-url">${best.url}</p>`}
    ${pairing && !best && html`<p>${t("setup.phone.lan")} <code>carrom --lan</code></p>`}
    <p class="faint">${t("setup.phone.certificate")}</p>
  </div>`;
}
