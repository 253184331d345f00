import { button, counted, num } from "./format.js";
import { fill, h } from "./h.js";
import { link, toExecution } from "./router.js";
import { withCommands } from "./ui.js";

const TEXT = 400; // longer texts are cut
const ITEMS = 100; // so many items are shown at once
const OPEN = 12; // what has so few items is open from the start, near the root

export function tree(value, depth = 0) {
	if (value === null || typeof value !== "object") return leaf(value);
	const isList = Array.isArray(value);
	const entries = isList ? value.map((each, index) => [index, each]) : Object.entries(value);
	if (!entries.length) return h("code", isList ? "[]" : "{}");
	const inside = h("ul.tree");
	let isFilled = false;
	const unfold = () => {
		if (isFilled) return;
		isFilled = true;
		more(inside, entries, 0, depth);
	};
	const isOpen = depth < 2 && entries.length <= OPEN;
	if (isOpen) unfold();
	return h("details", { open: isOpen, ontoggle: (event) => event.target.open && unfold() },
		h("summary", h("span.faint", isList ? counted(entries.length, "item") : counted(entries.length, "field"))), inside);
}

function more(list, entries, from, depth) {
	for (const [key, value] of entries.slice(from, from + ITEMS)) {
		list.append(h("li", h("code.key", cutKey(String(key))), " ", tree(value, depth + 1)));
	}
	const left = entries.length - from - ITEMS;
	if (left <= 0) return;
	const rest = h("li", button(`Show ${num(Math.min(left, ITEMS))} more of ${num(left)}`, () => {
		rest.remove();
		more(list, entries, from + ITEMS, depth);
	}));
	list.append(rest);
}

const cutKey = (key) => (key.length > 200 ? `${key.slice(0, 200)}…` : key);

function leaf(value) {
	if (typeof value === "string") return h("span.text", "“", longText(value), "”");
	return h("code", { class: value === null ? "faint" : "" }, String(value));
}

/* A text. If it is long, its beginning, and a button that shows all of it. */
export function longText(text, limit = TEXT) {
	if (text.length <= limit) return h("bdi", text);
	const place = h("span");
	fill(place, h("bdi", text.slice(0, limit)), "… ", button(`Show all ${num(text.length)} characters`, () => place.replaceChildren(h("bdi", text))));
	return place;
}

/* Bytes as the API sends them: as JSON, or as base64. */
export function data(value) {
	if (value === null || value === undefined) return h("span.faint", "none");
	if ("json" in value) {
		const inside = value.json;
		const only = inside && typeof inside === "object" && Object.keys(inside).length === 1 && (inside.arguments ?? inside.value);
		return tree(only || inside);
	}
	const size = Math.floor((value.base64.length * 3) / 4);
	return size ? h("span", `${counted(size, "byte")}: `, longText(value.base64, 200)) : h("span.faint", "empty");
}

const FRAME = /^ {2}File "(.*)", line (\d+), in (.*)$/;
const OTHERS = /site-packages|dist-packages|[\\/]flowfabric[\\/]|[\\/]lib[\\/]python3|^<frozen/;

/* Why something failed: the message, the last line of the user's own code, and the rest folded. */
export function failure({ code, message, traceback }) {
	const lines = (traceback || "").split("\n");
	let at = null;
	lines.forEach((line, index) => {
		const frame = FRAME.exec(line);
		if (frame && !OTHERS.test(frame[1])) at = { frame, code: (lines[index + 1] || "").trim() };
	});
	return h("div.failure",
		h("p", h("strong", code), message ? ": " : "", longText(message || "", 2000)),
		at && h("p", h("code", `${at.frame[1]}:${at.frame[2]}`), ` in ${at.frame[3]}`, h("br"), h("code", at.code)),
		traceback && h("details", h("summary", "The whole traceback"), h("pre", longText(traceback, 20000))));
}

const ID = /(\{fp:\d+\}:[0-9a-f-]{36})/;

/* An explanation. Other executions become links, and commands of `ff` about this execution or its flow can be copied. The text may
 * quote what users have written, so anything else between backticks stays as it is. A link leads to what mends it. */
export function explained(text, id, flowId) {
	const where = /^(?:It waits for )?(limit|budget|lane) /i.exec(text);
	const page = where ? `${where[1].toLowerCase()}s` : /^It waits for a worker(?!.*about to claim)/.test(text) && "doctor";
	return [text.slice(0, 4000).split("`").map((part, index, all) => {
		const isInside = index % 2 === 1 && index < all.length - 1;
		const whom = [id, flowId].find((each) => each && part.endsWith(` ${each}`));
		if (isInside && whom && /^ff [a-z ]+$/.test(part.slice(0, -whom.length - 1))) return withCommands(`\`${part}\``);
		return [index % 2 ? "`" : "", part.split(ID).map((each, at) => (at % 2 && each !== id ? toExecution(each) : each)), isInside ? "`" : ""];
	}), page && [" ", h("a", { href: link`/${page}` }, `To the ${page}`)]];
}
