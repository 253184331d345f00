import { get, getExact, may, path, prefix, query } from "./api.js";
import { shortId } from "./format.js";
import { fill, h } from "./h.js";
import { follow, paused } from "./live.js";
import { setPageKeys } from "./keys.js";

const root = document.getElementById("main");
let pages = [];
let current = null;
let shown = null; // the page that is painted

export function start(table) {
	pages = table.map(([pattern, load]) => ({ parts: pattern.split("/").slice(1), load }));
	history.scrollRestoration = "manual";
	addEventListener("popstate", () => open(history.state?.scroll || 0));
	document.addEventListener("click", onClick);
}

export const link = (...given) => prefix + path(...given);

export const listLink = (where, fields) => prefix + where + query(fields);

export const toExecution = (id, text = shortId(id)) => h("a", { href: link`/executions/${id}` }, text);

export const toList = (fields, ...text) => h("a", { href: listLink("/executions", fields) }, ...text);

/* The address of this page with some fields of its query changed; one without a value is removed. */
export function changed(fields) {
	const now = new URLSearchParams(location.search);
	for (const [name, value] of Object.entries(fields)) value ? now.set(name, value) : now.delete(name);
	return `${location.pathname}?${now}`.replace(/\?$/, "");
}

export function go(href, { replace = false } = {}) {
	history.replaceState({ ...history.state, scroll: scrollY }, "");
	history[replace ? "replaceState" : "pushState"]({}, "", href);
	return open(replace ? scrollY : 0);
}

function onClick(event) {
	const anchor = event.target.closest?.("a[href]");
	if (!anchor || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
	const url = new URL(anchor.href);
	if (url.origin !== location.origin || anchor.target || !match(url.pathname)) return;
	if (url.pathname === location.pathname && url.search === location.search && url.hash) return;
	event.preventDefault();
	go(url.href);
}

function match(pathname) {
	if (!pathname.startsWith(prefix)) return null;
	const parts = pathname.slice(prefix.length).split("/").slice(1);
	if (!parts.length) parts.push("");
	for (const { parts: wanted, load } of pages) {
		if (wanted.length !== parts.length) continue;
		const args = {};
		const fits = wanted.every((part, index) => {
			if (!part.startsWith("{")) return part === parts[index];
			try {
				args[part.slice(1, -1)] = decodeURIComponent(parts[index]);
			} catch {
				return false;
			}
			return parts[index] !== "";
		});
		if (fits) return { load, args };
	}
	return null;
}

export async function open(scroll = 0) {
	current?.end();
	document.querySelector("dialog[open]")?.close();
	const found = match(location.pathname);
	const page = new Page(found?.args || {}, scroll);
	current = page;
	root.inert = shown?.path !== page.path; // what is left cannot be pressed
	for (const each of root.querySelectorAll(".steer, .scroll")) each.inert = true; // nor what a filter has not changed yet
	onMove.act();
	try {
		if (!found) throw new Error("There is no such page.");
		const module = await found.load();
		if (current === page) await module.show(page);
	} catch (error) {
		page.failed(error);
	}
}

/* The first part of the path: which entry of the bar is the current one. */
export const place = () => location.pathname.slice(prefix.length).split("/")[1] || "";

export const onMove = { act: () => {} };

class Page {
	path = location.pathname;
	#ends = [];
	#scroll;
	#controller = new AbortController();

	constructor(args, scroll) {
		this.args = args;
		this.query = new URLSearchParams(location.search);
		this.signal = this.#controller.signal;
		this.#scroll = scroll;
		setPageKeys({});
	}

	get isOver() {
		return current !== this;
	}

	get(where, values) {
		return get(where, values, this.signal);
	}

	getExact(where) {
		return getExact(where, this.signal);
	}

	title(text) {
		if (!this.isOver) document.title = `${text} · FlowFabric`;
		return h("h1", text);
	}

	paint(...nodes) {
		if (this.isOver) return;
		fill(root, h("div.page", { key: this.path }, ...nodes));
		if (shown !== this) {
			shown = this;
			root.inert = false;
			scrollTo(0, this.#scroll);
		}
	}

	live(filter, act, eachMs = 0) {
		if (this.isOver) return;
		if (!may("look")) return void this.every(5000, () => act([])); // the log is for those who may look
		this.leave(follow(filter, this.#shown(act), eachMs));
	}

	every(ms, act) {
		const shown = this.#shown(act);
		const timer = setInterval(() => document.hidden || paused() || shown(), ms);
		this.leave(() => clearInterval(timer));
	}

	inTurn(act) {
		let last;
		let next;
		const turn = this.#shown(() => ((next = null), act()));
		return () => (next ??= last = Promise.resolve(last).then(turn));
	}

	#shown(act) {
		return (...given) => (async () => act(...given))().catch((error) => this.failed(error));
	}

	filter(changes) {
		return go(changed({ cursor: null, ...changes }));
	}

	keys(table) {
		if (!this.isOver) setPageKeys(table);
	}

	leave(act) {
		if (this.isOver) act();
		else this.#ends.push(act);
	}

	/* Shows an error. If the page is there already, it stays, with the error above it. */
	failed(error) {
		if (this.isOver || error?.name === "AbortError") return;
		const text = error instanceof Error ? error.message : String(error);
		if (!error?.status) console.warn(text);
		const line = h("p.error", { role: "alert", key: "error" }, text, " ", h("a", { href: location.href, onclick: (event) => {
			event.preventDefault();
			open(scrollY);
		} }, "Try again"));
		if (shown !== this) this.paint(h("h1", "Not shown"), line);
		else {
			root.querySelector(".error[data-above]")?.remove();
			line.setAttribute("data-above", "");
			root.querySelector(".page")?.prepend(line);
		}
	}

	end() {
		this.#controller.abort();
		for (const act of this.#ends.splice(0)) act();
	}
}
