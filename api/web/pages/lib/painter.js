// Draws the newest picture of the camera on every canvas that asks for it. The overlay of a frame
// is shown with its picture, never before.
import { isKeyUnit } from "./live_message.js";
import { pictured, pictureSize } from "./store.js";

export class Painter {
  constructor() {
    this.canvases = new Map();
    this.last = null;
    this.isBusy = false;
    this.waiting = null;
    this.decoder = null;
    this.pending = [];
  }

  /** Draw on `canvas` from now on, turned by `quarter` quarters clockwise; answers how to stop. */
  add(canvas, quarter) {
    this.canvases.set(canvas, quarter);
    if (this.last) this.put(canvas, quarter, this.last);
    return () => this.canvases.delete(canvas);
  }

  canDecodeVideo() {
    return window.isSecureContext && "VideoDecoder" in window;
  }

  begin(codec, onBroken) {
    this.decoder?.state !== "closed" && this.decoder?.close();
    this.decoder = null;
    this.needsKey = true;
    this.pending = [];
    if (codec !== "h264") return;
    this.decoder = new VideoDecoder({
      output: (frame) => {
        const done = this.pending.shift();
        this.show(frame, frame.displayWidth, frame.displayHeight);
        done?.();
      },
      error: onBroken,
    });
    this.decoder.configure({ codec: "avc1.42E028", optimizeForLatency: true });
  }

  async paint(bytes, tS, done) {
    if (this.decoder) {
      this.decode(bytes, tS, done);
      return;
    }
    if (this.isBusy) {
      this.waiting?.done();
      this.waiting = { bytes, done };
      return;
    }
    this.isBusy = true;
    try {
      const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
      this.show(image, image.width, image.height);
    } catch {
      // A damaged picture: the next one is on its way.
    }
    this.isBusy = false;
    done();
    const next = this.waiting;
    this.waiting = null;
    if (next) this.paint(next.bytes, tS, next.done);
  }

  decode(unit, tS, done) {
    const isKey = isKeyUnit(unit);
    if (this.needsKey && !isKey) {
      done();
      return;
    }
    this.needsKey = false;
    this.pending.push(done);
    this.decoder.decode(
      new EncodedVideoChunk({ type: isKey ? "key" : "delta", timestamp: tS * 1e6, data: unit }),
    );
  }

  /** One still picture by plain HTTP, where there is no live connection. */
  async fetchStill() {
    try {
      const response = await fetch("/snapshot.jpg", { cache: "no-store" });
      if (!response.ok) return;
      const image = await createImageBitmap(await response.blob());
      this.show(image, image.width, image.height);
    } catch {
      // No picture now: the drawn board stays.
    }
  }

  show(image, width, height) {
    if (!width) return;
    this.last?.image.close?.();
    this.last = { image, width, height };
    for (const [canvas, quarter] of this.canvases) this.put(canvas, quarter, this.last);
    const size = pictureSize.peek();
    if (!size || size[0] !== width || size[1] !== height) pictureSize.value = [width, height];
    pictured.value = true;
  }

  put(canvas, quarter, { image, width, height }) {
    const isTurned = quarter % 2 === 1;
    const [w, h] = isTurned ? [height, width] : [width, height];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    }
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.translate(w / 2, h / 2);
    context.rotate((quarter * Math.PI) / 2);
    context.drawImage(image, -width / 2, -height / 2);
  }
}
