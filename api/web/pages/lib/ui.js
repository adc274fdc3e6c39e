// What every module draws with: Preact, htm and signals under one roof.
import { h, render, Fragment } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { useEffect, useLayoutEffect, useMemo, useRef, useState, useId } from "../vendor/hooks.js";
export { batch, computed, effect, signal } from "../vendor/signals.js";
export { h, render, Fragment };
export const html = htm.bind(h);

/** Class names from parts; empty ones are left out. */
export const names = (...parts) => parts.filter(Boolean).join(" ");
