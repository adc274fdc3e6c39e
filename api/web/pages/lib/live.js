// The live connection of a page: WebSocket first, long poll where that is refused; comes back by
// itself after sleep, a dead network or a restarted server.
import { get, refresh } from "./api.js";
import { backoffS, decode } from "./live_message.js";
import { paired } from "./pair.js";
import { Painter } from "./painter.js";
import { camera, codec, link, snapshot, table, takeSnapshot } from "./store.js";
import { hear } from "./voice.js";

const POLL_AFTER_FAILURES = 3;
const SILENT_S = 20;

class Live {
  constructor() {
    this.painter = new Painter();
    this.attempt = 0;
    this.neverOpened = 0;
    this.socket = null;
    this.timer = null;
    this.isPolling = false;
    this.lastHeard = performance.now();
  }

  start() {
    this.open();
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    window.addEventListener("online", () => this.wake());
    window.addEventListener("pageshow", (event) => event.persisted && this.wake());
    setInterval(() => this.check(), SILENT_S * 1000);
  }

  /** Begin anew at once if nothing was heard for a while. */
  wake() {
    if (performance.now() - this.lastHeard > 5000 || this.socket?.readyState !== WebSocket.OPEN) {
      this.attempt = 0;
      this.neverOpened = 0;
      this.open();
    }
  }

  /** A socket may be dead without knowing it: ask for the state the other way and compare. */
  async check() {
    if (document.hidden || this.socket?.readyState !== WebSocket.OPEN) return;
    if (performance.now() - this.lastHeard < SILENT_S * 1000) return;
    try {
      const known = snapshot.value?.rev;
      const now = await get("/api/table");
      if (now.rev !== known) this.open();
    } catch {
      this.open();
    }
  }

  open() {
    clearTimeout(this.timer);
    this.drop();
    const wanted = codec.value === "h264" && this.painter.canDecodeVideo() ? "h264" : "jpeg";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    let opened = false;
    let socket;
    try {
      socket = new WebSocket(`${scheme}://${location.host}/ws/live?codec=${wanted}`);
    } catch {
      this.lost(false);
      return;
    }
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.painter.begin(wanted, () => {
      codec.value = "jpeg";
      this.open();
    });
    socket.onopen = () => {
      opened = true;
      this.attempt = 0;
      this.neverOpened = 0;
      this.lastHeard = performance.now();
      link.value = "live";
    };
    socket.onmessage = (event) => socket === this.socket && this.message(event.data);
    socket.onclose = () => socket === this.socket && this.lost(opened);
  }

  drop() {
    const old = this.socket;
    this.socket = null;
    if (old && old.readyState <= WebSocket.OPEN) old.close();
  }

  lost(opened) {
    this.socket = null;
    if (!opened) this.neverOpened += 1;
    if (link.value !== "polling" && link.value !== "unpaired") link.value = "lost";
    if (this.neverOpened >= POLL_AFTER_FAILURES && !this.isPolling) this.poll();
    const wait = this.isPolling ? 30 : backoffS(this.attempt);
    this.attempt += 1;
    this.timer = setTimeout(() => this.open(), wait * 1000);
  }

  message(bytes) {
    this.lastHeard = performance.now();
    let message;
    try {
      message = decode(typeof bytes === "string" ? new TextEncoder().encode(bytes).buffer : bytes);
    } catch (error) {
      console.warn("live message not understood:", error.message);
      return;
    }
    const { data, picture } = message;
    this.take(data);
    const done = () => {
      if (data.table) table.value = data.table;
      if (this.socket?.readyState === WebSocket.OPEN) {
        this.socket.send(JSON.stringify({ ack: data.seq }));
      }
    };
    if (picture) this.painter.paint(picture, data.t_s ?? 0, done);
    else done();
  }

  take(data) {
    takeSnapshot(data.snapshot);
    hear(data.say);
  }

  /** The way in for browsers that refuse our WebSocket (an untrusted certificate on iOS). */
  async poll() {
    this.isPolling = true;
    let failures = 0;
    while (link.value !== "live") {
      try {
        const data = await get(`/api/live?after=${snapshot.value?.rev ?? 0}`);
        failures = 0;
        if (link.value === "live") break;
        link.value = "polling";
        this.lastHeard = performance.now();
        if (data) {
          this.take(data);
          if (data.table) table.value = data.table;
        }
        if (camera.value.state === "live") this.painter.fetchStill();
        await new Promise((resolve) => setTimeout(resolve, 250));
      } catch (error) {
        if (!notPaired(error) && link.value === "polling") link.value = "lost";
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, backoffS(failures) * 1000));
      }
    }
    this.isPolling = false;
  }
}

/** Whether the server does not know this device; then the page says so. */
function notPaired(error) {
  const isUnknown = error?.status === 401 || error?.status === 403;
  if (isUnknown) link.value = "unpaired";
  return isUnknown;
}

export const live = new Live();

/** Begin: one fetch for a quick first drawing, then the live connection. */
export function goLive() {
  paired.then(() => {
    refresh().catch((error) => notPaired(error));
    live.start();
  });
}
