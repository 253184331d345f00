import { prefix } from "./api.js";
import { h } from "./h.js";
import { go } from "./router.js";

export const PLACES = [
	["o", "", "Overview"],
	["e", "executions", "Executions"],
	["f", "flows", "Flows"],
	["p", "waiting", "People"],
	["s", "schedules", "Schedules"],
	["l", "lanes", "Lanes"],
	["w", "workers", "Workers"],
	["i", "limits", "Limits"],
	["b", "budgets", "Budgets"],
	["v", "events", "Events"],
	["d", "doctor", "Doctor"],
];

let ofPage = {};
let isGoing = 0;

export function setPageKeys(table) {
	ofPage = table;
}

export function startKeys() {
	document.addEventListener("keydown", onKey);
}

function onKey(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
	const at = event.target;
	if (at.closest("input, textarea, select, [contenteditable]")) {
		if (event.key === "Escape") at.blur();
		return;
	}
	const act = actOf(event.key);
	if (act) {
		event.preventDefault();
		act();
	}
}

function actOf(key) {
	if (isGoing && performance.now() - isGoing < 3000) {
		isGoing = 0;
		const place = PLACES.find(([letter]) => letter === key);
		if (place) return () => go(`${prefix}/${place[1]}`);
	}
	if (Object.hasOwn(ofPage, key)) return ofPage[key][1];
	return { g: () => (isGoing = performance.now()), "/": search, "?": help, j: () => step(1), k: () => step(-1) }[key];
}

function search() {
	const box = document.querySelector("main input[type=search]");
	if (box) {
		box.focus();
		box.select();
	} else {
		go(`${prefix}/executions`).then(() => document.querySelector("main input[type=search]")?.focus());
	}
}

/* j and k: the next and the previous row. Enter follows the link that then has the focus. */
function step(by) {
	const links = [...document.querySelectorAll("main tbody tr, main li.row")]
		.map((row) => row.querySelector("a[href]"))
		.filter(Boolean);
	const row = document.activeElement?.closest("tr, li.row");
	const at = links.findIndex((each) => row?.contains(each));
	const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))];
	next?.focus();
	next?.scrollIntoView({ block: "nearest" });
}

export function help() {
	const rows = [
		["/", "Search"],
		["j  k", "The next row, the previous row"],
		["Enter", "Open the row"],
		["?", "This list"],
		...Object.entries(ofPage).map(([key, [text]]) => [key === " " ? "Space" : key, text]),
		...PLACES.map(([letter, , name]) => [`g ${letter}`, name]),
	];
	const dialog = h("dialog", { "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
		h("h2", { id: "keys-title" }, "Keys"),
		h("dl.keys", rows.map(([key, text]) => [h("dt", key.split(" ").filter(Boolean).map((each) => h("kbd", each))), h("dd", text)])),
		h("form", { method: "dialog" }, h("button", "Close")));
	document.body.append(dialog);
	dialog.showModal();
}
