import { may } from "./api.js";
import { copyButton, num, state } from "./format.js";
import { h } from "./h.js";
import { changed, toList } from "./router.js";

const EACH_MS = 4000; // a list on a busy store is read once in this time

const KINDS = { "#": "number", "~": "wide" };

/* table({columns: ["State", "Used #", ["Held up #", "what it means"]], rows: [{key, cells, class}], label, empty}): # is a number, ~ long text */
export function table({ columns, rows, label, empty }) {
	if (!rows.length) return h("p.empty", { key: "empty" }, empty || "There is nothing here.");
	const heads = columns.map((each) => {
		if (each.kind) return each;
		const [name, title] = [each].flat();
		const kind = KINDS[name.at(-1)];
		return { name: kind ? name.slice(0, -2) : name, kind, title };
	});
	return h("div.scroll", { key: "table", tabindex: 0, role: "region", "aria-label": label },
		h("table",
			h("thead", h("tr", heads.map(({ name, kind, title }) => h("th", { scope: "col", class: kind, title }, name)))),
			h("tbody", rows.map(({ key, cells, class: tone }) =>
				h("tr", { key, class: tone }, cells.map((cell, index) => h("td", { class: heads[index].kind, "data-label": heads[index].kind === "number" && heads[index].name }, cell)))))));
}

export function chips(page, field, values, look = (value) => value, none = "all") {
	const now = page.query.get(field);
	return h("div.chips", { role: "group", "aria-label": field }, [null, ...values].map((value) =>
		h("button", { key: value || "all", "aria-pressed": String(now === value), onclick: () => page.filter({ [field]: value }) },
			value ? look(value) : none)));
}

export const searchBox = (value, placeholder, label, act) =>
	h("form.search", { role: "search", onsubmit: (event) => (event.preventDefault(), act(event.target.elements.q.value.trim())) },
		h("input", { type: "search", name: "q", value, placeholder, "aria-label": label, autocomplete: "off", spellcheck: "false" }),
		h("button", "Search"));

export function health({ is_healthy: isHealthy, summary }, ...more) {
	const shown = isHealthy === null ? state("suspended", "Not examined") : isHealthy ? state("completed", "Healthy") : state("failed", "Not healthy");
	return h("p.health", { class: isHealthy === false ? "bad" : "" }, shown, " ", more.length ? more : summary);
}

/* How much of a limit is used. `soft`: from where on it is a warning. */
export function bar(used, limit, { soft, text } = {}) {
	const share = limit > 0 ? used / limit : used > 0 ? 1 : 0;
	const tone = share >= 1 ? "bad" : soft !== undefined && used >= soft ? "warn" : "fine";
	const words = text || `${num(used)} of ${num(limit)}`;
	return h("span.bar", { class: tone },
		h("span.track", { role: "img", "aria-label": `${Math.round(share * 100)} %` },
			h("span.fill", { css: { width: `${Math.min(100, share * 100)}%` } })),
		h("span", words, tone === "bad" ? " (full)" : tone === "warn" ? " (near)" : ""));
}

export function pager(page, nextCursor) {
	const at = page.query.get("cursor");
	if (!at && !nextCursor) return null;
	return h("nav.pager", { "aria-label": "Pages of the list", key: "pager" },
		at && h("a", { href: changed({ cursor: null }) }, "First page"),
		nextCursor && h("a", { href: changed({ cursor: nextCursor }), rel: "next" }, "Next page"));
}

export function withCommands(text) {
	return text.split("`").map((part, index) =>
		index % 2 ? h("span.inline-command", h("code", part), copyButton(part, "Copy the command")) : part);
}

/* Loads what a page shows, shows it, and does so again after each event, and now and then: making an execution
 * writes no event. load() returns what view(data) needs. */
export async function keepFresh(page, load, view, { filter = {}, everyMs = 5000 } = {}) {
	let data;
	let readMs;
	const paint = () => page.paint(...[view(data)].flat());
	const read = async () => {
		readMs = Infinity;
		try {
			data = await load();
		} finally {
			readMs = performance.now();
		}
		paint();
	};
	const refresh = page.inTurn(read);
	await read();
	if (filter) page.live(filter, refresh, EACH_MS);
	page.every(everyMs, () => performance.now() - readMs > everyMs / 2 && refresh());
	return { refresh, paint };
}

export const pausedFor = (reason) => [state("paused"), reason && h("span.faint", ` ${reason}`)];

/* How many wait for a limit or a budget, and the way to them. */
export const parked = (count, lane) => (count ? toList({ lane, state: "rate_limited" }, num(count)) : 0);

/* Cells of a table that only those see who may steer. */
export const ifSteer = (...cells) => (may("steer") ? cells : []);

export const inNamespace = (thing) =>
	thing.namespace === "default" ? null : h("span.faint", " in ", thing.namespace);
