import { h, s } from "./h.js";
import { say } from "./says.js";

let skewMs = 0; // how far the server's clock is ahead of the reader's

export function skewFrom(date) {
	const ahead = Date.parse(date || "") - Date.now();
	skewMs = Math.abs(ahead) > 2500 ? ahead : 0;
}

export const nowMs = () => Date.now() + skewMs;

const exactFormat = new Intl.DateTimeFormat("sv-SE", {
	year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
});
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/* "2026-11-18 09:30:12.345", in the reader's zone. */
export const exact = (ms) => `${exactFormat.format(ms)}.${String(ms % 1000).padStart(3, "0")}`;

/* "3 min ago", "in 2 h". The exact instant shows when one points at it. */
export function time(ms, none = "–") {
	if (ms === null || ms === undefined) return h("span.faint", none);
	return h("time", { datetime: new Date(ms).toISOString(), title: `${exact(ms)} ${zone}`, "data-at": ms }, ago(ms));
}

export const instant = (ms) => h("time", { datetime: new Date(ms).toISOString() }, exact(ms));

export function ago(ms) {
	const past = nowMs() - ms;
	if (Math.abs(past) < 1500) return "now";
	return past > 0 ? `${rough(past)} ago` : `in ${past > -60000 ? rough(-past) : duration(-past)}`;
}

const UNITS = [["d", 86400000], ["h", 3600000], ["min", 60000], ["s", 1000]];

function rough(ms) {
	for (const [name, length] of UNITS) if (ms >= length) return `${Math.floor(ms / length)} ${name}`;
	return `${Math.round(ms)} ms`;
}

/* "1 h 12 min", "3.2 s", "45 ms": two parts at most. */
export function duration(ms) {
	if (ms === null || ms === undefined) return "–";
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60000) return `${(ms / 1000).toFixed(ms < 10000 ? 1 : 0)} s`;
	const at = UNITS.findIndex(([, length]) => ms >= length);
	const [name, length] = UNITS[at];
	const [smaller, small] = UNITS[at + 1];
	const rest = Math.floor((ms % length) / small);
	return `${Math.floor(ms / length)} ${name}${rest ? ` ${rest} ${smaller}` : ""}`;
}

export const since = (ms) => h("span", { "data-since": ms }, duration(Math.max(0, nowMs() - ms)));

export function tick() {
	for (const node of document.querySelectorAll("[data-at]")) write(node, ago(Number(node.dataset.at)));
	for (const node of document.querySelectorAll("[data-since]")) {
		write(node, duration(Math.max(0, nowMs() - Number(node.dataset.since))));
	}
}

function write(node, text) {
	if (node.firstChild?.data !== text) node.firstChild.data = text;
}

const numbers = new Intl.NumberFormat("en");
export const num = (value) => numbers.format(value);

export const counted = (count, one, many = `${one}s`) => `${num(count)} ${count === 1 ? one : many}`;

export const words = (text) => text.replaceAll("_", " ");

export const cut = (text, chars = 200) => (text.length > chars ? `${text.slice(0, chars)}…` : text);

export const tagsOf = (tags) => Object.entries(tags).map(([key, value]) => h("code.tag", `${cut(key, 60)}=${cut(value, 120)}`));

const NAMES = { attempt_index: "attempt", next_attempt_index: "next attempt", worker_instance_id: "worker", source_identity: "from", delay_until_ms: "next try", cancellation_policy: "policy" };
const INNER = new Set(["branch", "groups_reset", "lease_epoch", "previous_attempt", "claim_type", "lease_id"]); // what only the engine needs

/* The details of an event in words. Attempts count from 1. */
export const detailsOf = ({ details }) => Object.entries(details || {})
	.filter(([name, value]) => !INNER.has(name) && (value || name === "attempt_index"))
	.map(([name, value]) => `${NAMES[name] || words(name.replace(/_ms$/, ""))} ${saidOf(name, value)}`).join(", ");

function saidOf(name, value) {
	if (name.endsWith("attempt_index")) return value + 1;
	if (name.endsWith("_ms")) return value > 1e12 ? exact(value) : duration(value);
	if (Array.isArray(value)) return value.map((each) => saidOf("", each)).join(", ");
	if (typeof value !== "string") return json(value);
	return value.startsWith("{fp:") ? shortId(value) : value;
}

/* Where BigInts are made of JSON (api.js), there is rawJSON, too. */
export const json = (value) => JSON.stringify(value, (key, each) => (typeof each === "bigint" ? JSON.rawJSON(each) : each));

/* "0197a2…9f3c": enough to tell ids apart. The whole id is copied. */
export function shortId(id) {
	const uuid = id.slice(id.lastIndexOf(":") + 1);
	return uuid.length > 14 ? `${uuid.slice(0, 8)}…${uuid.slice(-4)}` : uuid;
}

export function idOf(id, href, isWhole = false) {
	const text = h("code", { title: id }, isWhole ? id : shortId(id));
	return h("span.id", href ? h("a", { href }, text) : text, copyButton(id, "Copy the id"));
}

export function copyButton(text, label = "Copy") {
	const act = async (event) => {
		event.stopPropagation();
		event.preventDefault();
		say((await copy(text)) ? "Copied." : "The browser does not allow copying. Select the text and copy it.");
	};
	return h("button.copy", { type: "button", title: label, "aria-label": label, onclick: act },
		s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" },
			s("path", { d: "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z", fill: "none", stroke: "currentColor" })));
}

/* On pages without TLS there is no clipboard for scripts: then a selection is copied. */
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const area = h("textarea.offscreen", { value: text, readonly: true, "aria-hidden": "true" });
		const before = document.activeElement;
		(document.querySelector("dialog[open]") || document.body).append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		before?.focus();
		return done;
	}
}

const RING = "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z";
const SIGN = "M8 2 14.5 13.5h-13zM8 6.5v3.5M8 11.5v.5";
const PLAY = "M4.5 2.5v11l9-5.5z";
const SHAPES = {
	waiting: ["wait", RING],
	delayed: ["wait", `${RING}M8 5v3.5l2.5 1.5`],
	rate_limited: ["warn", SIGN],
	waiting_children: ["wait", "M2.5 4h4v4h-4zM9.5 8h4v4h-4zM4.5 8v2h5"],
	suspended: ["hold", `${RING}M6.5 5.5v5M9.5 5.5v5`],
	resumable: ["wait", `${RING}M6.5 5.5v5l4-2.5z`],
	active: ["run", PLAY],
	completed: ["good", "M2.5 8.5l4 4 7-9"],
	failed: ["bad", "M3 3l10 10M13 3L3 13"],
	cancelled: ["off", `${RING}M4.2 4.2l7.6 7.6`],
	expired: ["bad", "M4 2.5h8l-4 5.5 4 5.5H4l4-5.5z"],
	skipped: ["off", "M2.5 8h9M8.5 4.5 12 8l-3.5 3.5"],
	paused: ["hold", "M5 3v10M11 3v10"],
	open: ["wait", RING],
	running: ["run", PLAY],
	warning: ["warn", SIGN],
};

/* A state as a shape and a word, so that its colour is not all that tells it. */
export function state(name, text = words(name)) {
	const [tone, shape] = SHAPES[name] || ["off", RING];
	return h("span", { class: `state ${tone}` }, glyph(shape), text);
}

export const toneOf = (name) => (SHAPES[name] || ["off"])[0];
export const shapeOf = (name) => (SHAPES[name] || ["off", RING])[1];

const glyph = (shape) =>
	s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" },
		s("path", { d: shape, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linejoin": "round" }));

export const facts = (all) => h("dl.facts", Object.entries(all).map(([name, value]) => [h("dt", name), h("dd", value)]));

export const button = (text, act, props = {}) => h("button", { onclick: act, ...props }, text);
