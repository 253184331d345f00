import { may, path, post } from "./api.js";
import { button, counted, cut, duration, idOf, num, nowMs, since, state, tagsOf, time, words } from "./format.js";
import { h } from "./h.js";
import { link, listLink, toExecution } from "./router.js";
import { FILTERS, isId, parsed, spanMs, written } from "./search.js";
import { chips, ifSteer, inNamespace, keepFresh, pager, searchBox, table } from "./ui.js";
import { ask, command, REASON } from "./verbs.js";

const PAGE = 50;
const CHIPS = ["waiting", "delayed", "rate_limited", "waiting_children", "active", "suspended", "completed", "failed", "cancelled"];
const MANY = 100; // from so many on, their number has to be typed

const VERBS = {
	cancel: ["Cancel", "cancelled", "They end for good, running or not.", { ...REASON, required: true }],
	replay: ["Replay", "replayed", "Ended ones come back to life under the same ids. Those that did not complete keep their stored steps. What was skipped because of them stays skipped: to bring it back, too, replay its flow."],
	hold: ["Hold", "held", "Waiting ones are not claimed until the hold ends.", REASON],
	unhold: ["Unhold", "let go", "Held ones can be claimed again."],
	revoke: ["Revoke", "revoked", "Running ones lose their lease and go back to the queue.", REASON],
	priority: ["Priority", "moved", "Waiting ones move in their queue. The highest priority goes first.",
		{ name: "priority", label: "Priority, 0 to 9000", type: "number", required: true }],
};

const ENDED = ["failed", "expired", "cancelled", "skipped", "completed"];
const AGAIN = (count) => h("p.warn", `${num(count)} ${count === 1 ? "has" : "have"} completed. A replay does all of it again, from the start.`);
const OTHERS = "Those to which this cannot be done stay as they are.";
const selected = new Set();

export async function show(page) {
	const fields = Object.fromEntries(FILTERS.map((name) => [name, page.query.get(name) || ""]));
	page.title(fields.state ? `Executions: ${words(fields.state)}` : "Executions");
	page.leave(() => selected.clear());
	const problem = { text: "" };
	const filters = filtersOf(fields, problem);
	let refresh = async () => {};
	let paint = () => {};
	const search = (text) => {
		try {
			const wanted = parsed(text);
			page.filter(Object.fromEntries(FILTERS.map((name) => [name, wanted[name] || null])));
		} catch (error) {
			problem.text = error.message;
			paint();
		}
	};
	const view = (found) => [
		h("h1", "Executions"),
		searchBox(written(fields), "task, id, state:failed, lane:mail, tag:team.name=shop, older:2h; not arguments", "Search executions, with the words of ff ls", search),
		problem.text && h("p.error", { role: "alert", key: "problem" }, problem.text),
		chips(page, "state", CHIPS, (each) => state(each)),
		may("steer") && steering(found, fields, filters, () => refresh(), () => paint()),
		rows(found, fields, () => paint()),
		pager(page, found.next_cursor),
	];
	const load = async () => {
		if (problem.text) return { items: [], next_cursor: null };
		if (fields.id) return byId(page, fields.id);
		return page.get("/v1/executions", { ...filters(), cursor: page.query.get("cursor"), limit: PAGE });
	};
	({ refresh, paint } = await keepFresh(page, load, view));
	page.keys({
		x: ["Select the row", () => document.activeElement?.closest("tr")?.querySelector("input[type=checkbox]")?.click()],
		Escape: ["Select nothing", () => (selected.clear(), paint())],
	});
}

/* The filters of the API. `older` counts from now on. */
function filtersOf(fields, problem) {
	const { state: publicState, lane, kind, flow, tag, older } = fields;
	try {
		if (older) spanMs(older);
		if (tag && !tag.includes("=")) throw new Error("A tag looks like key=value.");
	} catch (error) {
		problem.text = error.message;
	}
	return () => {
		const all = { public_state: publicState, lane, kind, flow_id: flow, tag, created_before_ms: older ? Math.floor(nowMs() - spanMs(older)) : "" };
		return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
	};
}

async function byId(page, text) {
	if (!isId(text)) return { items: [], next_cursor: null };
	const uuid = text.slice(text.lastIndexOf(":") + 1);
	const items = await page.get("/v1/executions:find", { uuid });
	const flow = items.length ? null : await page.get(path`/v1/flows/${uuid}`).catch(() => null);
	return { items, next_cursor: null, flow };
}

function rows(found, fields, paint) {
	if (found.flow) return h("p", "This is the id of a flow: ", h("a", { href: link`/flows/${found.flow.flow_id}` }, found.flow.kind), ".");
	const box = (label, items, value) => h("input", { type: "checkbox", value, "aria-label": label, checked: items.every((x) => selected.has(x.execution_id)), onchange: (event) => {
		for (const x of items) selected[event.target.checked ? "add" : "delete"](x.execution_id);
		paint();
	} });
	return table({
		label: "Executions",
		columns: [...ifSteer({ name: box("Select all rows of this page", found.items), kind: "tick" }), "State", "Task", "Id", "Lane", "Created", "Attempt #", "Took #", "What it says ~"],
		empty: written(fields) ? "No execution was found. Arguments are not searched; tags are." : "There are no executions yet.",
		rows: found.items.map((x) => ({
			key: x.execution_id,
			class: selected.has(x.execution_id) ? "chosen" : "",
			cells: [
				...ifSteer(box(`Select ${x.kind}`, [x], x.execution_id)),
				state(x.public_state),
				[toExecution(x.execution_id, x.kind), inNamespace(x), h("div", tagsOf(x.tags))],
				idOf(x.execution_id),
				h("a.quiet", { href: listLink("/executions", { lane: x.lane }) }, x.lane),
				time(x.created_at_ms),
				x.started_at_ms === null ? "–" : `${num(x.attempt_index + 1)}${x.replay_count ? " (replayed)" : ""}`,
				x.started_at_ms === null || x.replay_count ? "–" : x.terminal_at_ms === null ? since(x.started_at_ms) : duration(x.terminal_at_ms - x.started_at_ms),
				saying(x),
			],
		})),
	});
}

function saying(x) {
	if (x.failure && x.public_state !== "completed") return [h("code", x.failure.code), " ", cut(x.failure.message.split("\n", 1)[0], 160)];
	if (x.public_state === "skipped" && x.flow_id) return h("a", { href: listLink(path`/flows/${x.flow_id}`, { node: x.execution_id }) }, "because of another member of its flow");
	if (x.cancellation_reason) return cut(x.cancellation_reason, 160);
	if (x.progress_percent !== null) return `${x.progress_percent} %${x.progress_message ? `: ${cut(x.progress_message, 120)}` : ""}`;
	if (x.waits.length) return `waits for ${cut(x.waits.map((wait) => wait.keys.join(", ") || wait.name).join(", "), 120)}`;
	const { parked_at_limit: limit, parked_at_budget: budget, slots } = x.gates || {};
	if (limit) return ["waits for ", h("a", { href: link`/limits` }, "limit ", limit)];
	if (budget) return ["waits for ", h("a", { href: link`/budgets` }, "budget ", budget)];
	if (slots && Object.keys(slots).length) return `holds a slot of ${Object.keys(slots).join(", ")}`;
	if (x.blocking_reason) return [words(x.blocking_reason), x.public_state === "waiting" && x.required_capabilities.map((each) => ` with ${each}`)];
	if (x.delay_until_ms && x.public_state === "delayed") return ["starts ", time(x.delay_until_ms)];
	return "";
}

function steering(found, fields, filters, refresh, paint) {
	if (!found.items.length) return null;
	const ids = [...selected];
	const act = async (name) => {
		if (await (ids.length ? steerSelected(name, ids, found.items) : steerAll(name, fields, filters()))) {
			selected.clear();
			await refresh();
		}
	};
	const isWhole = !ids.length && (fields.id || !written(fields));
	return h("div.steer", { role: "group", "aria-label": "What to do with them", key: "steer" },
		h("span", ids.length ? `${counted(ids.length, "execution")} selected:` : isWhole ? "Select rows, or search, to steer many at once." : "All that are found:"),
		isWhole ? null : Object.entries(VERBS).map(([name, [text]]) => button(`${text}…`, () => act(name), { key: name })),
		ids.length > 0 && button("Select nothing", () => (selected.clear(), paint())));
}

/* What both dialogs ask. ff makes the command; send returns how many were done, and why others not. */
function askFor(name, { title, what, fields = [], ff, send }) {
	const [text, done, , field] = VERBS[name];
	return ask({
		title: `${text} ${title}?`,
		what,
		fields: field ? [field] : fields,
		isDanger: name === "cancel",
		confirm: `${text} ${title}`,
		command: (values) => ff((name === "priority" ? [values.priority || "N"] : []), values),
		run: async (values, progress) => {
			const body = name === "priority" ? { priority: Number(values.priority) } : values;
			const { count, refused } = await send(body, (so, far) => progress(`${num(so)} ${done}, ${num(far)} refused…`));
			const said = `${counted(count, "execution")} ${done}.`;
			return refused.length ? `${said} ${num(refused.length)} refused: ${cut(refused[0], 240)}` : said;
		},
	});
}

const steerSelected = (name, ids, items) => askFor(name, {
	title: counted(ids.length, "execution"),
	what: async (must) => {
		const again = name === "replay" ? items.filter((x) => ids.includes(x.execution_id) && x.public_state === "completed").length : 0;
		if (again) must(String(again));
		return [h("p", `${VERBS[name][2]} ${OTHERS}`), again > 0 && AGAIN(again)];
	},
	ff: (first, { reason }) => command(name, ...first, ...ids.slice(0, 5), { reason }) + (ids.length > 5 ? " …" : ""),
	send: async (body) => {
		const answers = await post("/v1/calls", ids.map((id) => ({ path: path`/v1/executions/${id}/` + name, body })));
		const refused = answers.filter((each) => each.status >= 400).map((each) => each.body.detail);
		return { count: answers.length - refused.length, refused };
	},
});

function steerAll(name, options, { tag, ...filters }) {
	const at = tag?.indexOf("=");
	const all = { action: name === "priority" ? "change_priority" : name, ...filters, ...(tag ? { tag: [tag.slice(0, at), tag.slice(at + 1)] } : {}) };
	const countOf = async (more) => (await post("/v1/executions:operate?dry_run=true", { ...all, ...more })).count;
	// What has completed comes back only if somebody says so.
	const chooses = name === "replay" && !filters.public_state;
	return askFor(name, {
		title: "all that are found",
		fields: chooses ? [{ name: "state", label: "Which of them", value: ENDED[0], options: ENDED.map((each) => [each, each]) }] : [],
		ff: (first, values) => command(name, ...first, { ...options, ...values, priority: null }),
		what: async (must) => {
			const [count, ...counts] = await Promise.all([countOf(), ...(chooses ? ENDED : []).map((each) => countOf({ public_state: each }))]);
			const again = chooses ? counts.at(-1) : name === "replay" && filters.public_state === "completed" ? count : 0;
			if (count >= MANY || (again && !chooses)) must(String(count));
			return [h("p", h("strong", counted(count, "execution")), ` ${count === 1 ? "is" : "are"} found now. `, VERBS[name][2]),
				chooses && h("p", ENDED.map((each, index) => [state(each, `${num(counts[index])} ${each}`), " "])),
				again > 0 && AGAIN(again),
				h("p.faint", `${OTHERS} Those that are made later are left alone.`)];
		},
		send: async ({ state: chosen = all.public_state, ...body }, progress) => {
			const refused = [];
			let count = 0;
			let cursor = null;
			do {
				const page = await post("/v1/executions:operate", { ...all, ...body, public_state: chosen, cursor });
				count += page.done;
				refused.push(...page.refused.map((each) => each.message));
				cursor = page.next_cursor;
				progress(count, refused.length);
			} while (cursor);
			return { count, refused };
		},
	});
}
