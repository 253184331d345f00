import { may, path } from "./api.js";
import { counted, duration, idOf, num, state, tagsOf, time, words } from "./format.js";
import { h } from "./h.js";
import { lanesTable } from "./overview.js";
import { questionCard, questions } from "./questions.js";
import { link, toList } from "./router.js";
import { spanMs } from "./search.js";
import { bar, chips, health, ifSteer, inNamespace, keepFresh, pager, parked, pausedFor, table, withCommands } from "./ui.js";
import { REASON, verbsOf } from "./verbs.js";

async function lanes(page) {
	const { refresh } = await keepFresh(page, () => page.get("/v1/lanes"), (lanes) => [
		page.title("Lanes"),
		lanesTable(lanes, may("steer") ? (lane) => steer(lane, () => refresh()) : null),
	]);
}

function steer(lane, refresh) {
	const name = lane.lane;
	const verb = verbsOf(lane, refresh);
	const waiting = counted(lane.waiting, "execution");
	return lane.paused_at_ms
		? verb("Resume", {
				title: `Resume the lane ${name}?`, what: `${waiting} can be claimed at once.`,
				where: path`/v1/lanes/${name}/resume`, ff: ["lanes resume", name], said: `${name} is open.`,
			})
		: verb("Pause", {
				title: `Pause the lane ${name}?`, fields: [REASON],
				what: `Nothing is claimed from it until it is resumed: ${waiting} would wait. ${counted(lane.active, "running one")} would go on.`,
				where: path`/v1/lanes/${name}/pause`, ff: ["lanes pause", name], said: `${name} is paused.`,
			});
}

/* One table, page by page if there is a limit. `cells` makes the cells of a row, `above` what stands over the table. */
async function listed(page, title, where, { columns, cells, empty, limit, fields, above, key = keyOf, sort = (items) => items, filter }) {
	const wanted = { ...fields, ...(limit && { cursor: page.query.get("cursor"), limit }) };
	const { refresh } = await keepFresh(page, () => page.get(where, wanted), (found) => {
		const items = sort(limit ? found.items : found);
		const rows = items.map((each) => ({ key: key(each), cells: cells(each, () => refresh()) }));
		return [page.title(title), above?.(items), table({ label: title, columns, empty, rows }), limit && pager(page, found.next_cursor)];
	}, { filter });
}

const keyOf = (each) => JSON.stringify([each.namespace, each.name, each.key]);

const OPERATOR = { channels: ["operator"] };

const schedules = (page) => listed(page, "Schedules", "/v1/schedules", {
	columns: ["Name", "State", "Rule", "Task", "Lane", "Last #", "Next #", "Missed slots", ...ifSteer("")],
	empty: ["There is no schedule. A program makes one with ", h("code", "ff.every(\"10m\", sync)"), "."],
	cells: (each, refresh) => [
		[h("strong", each.name), inNamespace(each)],
		each.is_paused ? pausedFor(each.pause_reason) : each.is_orphaned ? state("warning", "no worker has its code") : state("active", "fires"),
		each.cron ? [h("code", each.cron), h("span.faint", ` ${each.timezone}`)] : `every ${duration(each.every_ms)}`,
		toList({ kind: each.kind }, each.kind),
		each.lane, time(each.last_slot_ms, "never"), time(each.next_slot_ms, "never"), { skip: "are skipped", last: "the newest fires", all: "all fire" }[each.catch_up],
		...ifSteer(verbs(each, refresh)),
	],
	filter: OPERATOR,
});

function verbs(each, refresh) {
	const { name, kind } = each;
	const verb = verbsOf(each, refresh);
	const one = (text, does, what, said, more) =>
		verb(text, { title: `${text} ${name}?`, what, said, where: path`/v1/schedules/${name}/` + does, ff: [`schedules ${does}`, name], ...more });
	return h("div.choices",
		each.is_paused
			? one("Resume", "resume", "It fires again from its next slot on. The slots in between never fire.", `${name} fires again.`)
			: one("Pause", "pause", "It fires nothing until it is resumed. The slots in between never fire.", `${name} is paused.`, { fields: [REASON] }),
		one("Run now", "run", `One execution of ${kind} is made now, out of turn.`, `One execution of ${kind} was made.`),
		each.is_orphaned ? one("Forget", "forget", "It is removed. A worker that has its code makes it known again.", `${name} is forgotten.`, { isDanger: true }) : null);
}

const workers = (page) => listed(page, "Workers", "/v1/workers", {
	columns: ["Worker", "State", "Host", "Process #", "Lanes", "Can do", "Version", "Started #", "Seen #"],
	above: (found) => h("p.faint", `${counted(found.filter((each) => each.is_alive).length, "worker")} alive.`),
	empty: ["No worker was seen within the last day. Start one: ", h("code", "ff worker app:ff")],
	sort: (found) => [...found].sort((a, b) => b.is_alive - a.is_alive || b.seen_at_ms - a.seen_at_ms),
	key: (each) => each.worker_instance_id,
	cells: (each) => [
		[h("strong", each.worker_id), " ", idOf(each.worker_instance_id), inNamespace(each)],
		each.is_alive ? state("active", "alive") : each.is_silent ? state("warning", "silent") : state("cancelled", "gone"),
		each.host, each.pid,
		each.lanes.map((lane) => [toList({ lane }, lane), " "]),
		each.capabilities.join(", ") || null, each.version, time(each.started_at_ms), time(each.seen_at_ms),
	],
	filter: OPERATOR,
});

const limits = (page) => listed(page, "Limits", "/v1/limits", {
	columns: ["Limit", "Key", "At once", "Rate", "Waiting #", "State", ...ifSteer("")],
	empty: ["There is no limit. A task takes part in one with ", h("code", "limits=[Limit(\"openai\", concurrency=8)]"), "."],
	limit: 100,
	cells: (each, refresh) => [
		[h("strong", each.name), inNamespace(each)],
		each.key && h("code", each.key),
		each.concurrency === null ? `${num(each.in_use)}, unlimited` : bar(each.in_use, each.concurrency),
		each.rate === null ? h("span.faint", "any") : `${num(each.rate)} per ${duration(each.per_ms)}${each.burst === null ? "" : `, burst ${num(each.burst)}`}`,
		parked(each.parked),
		each.paused_until_ms ? [state("paused"), ", ends ", time(each.paused_until_ms)]
			: each.opens_at_ms ? [state("delayed", "closed"), ", opens ", time(each.opens_at_ms)]
			: each.concurrency !== null && each.in_use >= each.concurrency ? state("rate_limited", "full") : state("completed", "open"),
		...ifSteer(pause(each, refresh)),
	],
});

function pause(each, refresh) {
	const { name, key } = each;
	const title = key ? `${name}[${key}]` : name;
	return verbsOf(each, refresh)("Pause", {
		title: `Pause ${title}?`, what: `Nothing starts under it for this time. ${counted(each.in_use, "running one")} would go on.`,
		fields: [{ name: "time", label: "For how long", value: "1m", required: true }],
		where: path`/v1/limits/${name}/pause`, body: ({ time: span }) => ({ key, for_ms: spanMs(span) }),
		ff: ({ time: span }, there) => ["limits pause", name, key, span || "1m", there], said: `${title} is paused.`,
	});
}

const budgets = (page) => listed(page, "Budgets", "/v1/budgets", {
	columns: ["Budget", "Used ~", "Period", "Next period", "Waiting #", "If exceeded", ...(may("manage") ? [""] : [])],
	empty: ["There is no budget. ", h("code", "ff budgets set team-a --limit usd_micros=50000000 --period day"), " makes one."],
	limit: 100,
	cells: (each, refresh) => [
		[h("strong", each.name), inNamespace(each), each.parent && h("div.faint", `part of ${each.parent}`)],
		h("ul.plain", Object.entries(each.limits).map(([name, limit]) => h("li", { key: name }, used(each, name, limit)))),
		each.period ? [each.period, h("span.faint", ` ${each.timezone}`)] : h("span.faint", "none"),
		time(each.next_reset_at_ms, "never"),
		parked(each.parked),
		each.on_exceeded === "cancel" ? state("cancelled", "cancels") : state("paused", "pauses"),
		...(may("manage") ? [reset(each, refresh)] : []),
	],
});

function used(each, name, limit) {
	const reserved = each.reserved[name];
	const text = `${num(each.used[name])} of ${num(limit)} ${name}${reserved ? `, ${num(reserved)} reserved` : ""}`;
	return bar(each.used[name], limit, { soft: each.soft_limits[name], text });
}

const reset = (each, refresh) => verbsOf(each, refresh)("New period", {
	title: `Begin a new period of ${each.name}?`, what: `Nothing of it is used then. ${num(each.parked)} that wait for it may go on.`,
	where: path`/v1/budgets/${each.name}/reset`, ff: ["budgets reset", each.name], said: `${each.name} begins again.`, isDanger: true,
});

const STATES = ["open", "running", "completed", "failed", "cancelled"];

const flows = (page) => listed(page, "Flows", "/v1/flows", {
	columns: ["State", "Flow", "Id", "Members #", "Created", "Ended after #"],
	above: () => chips(page, "state", STATES, (each) => state(each)),
	empty: page.query.get("state") ? "No flow is in this state." : ["There are no flows. A program makes one with ", h("code", "with ff.flow(\"order\") as flow:"), "."],
	fields: { state: page.query.get("state") },
	limit: 50,
	key: (flow) => flow.flow_id,
	cells: (flow) => [
		state(flow.state),
		[h("a", { href: link`/flows/${flow.flow_id}` }, flow.kind), inNamespace(flow), h("div", tagsOf(flow.tags))],
		idOf(flow.flow_id), num(flow.node_count), time(flow.created_at_ms),
		flow.terminal_at_ms ? duration(flow.terminal_at_ms - flow.created_at_ms) : "–",
	],
});

async function waiting(page) {
	const fields = { cursor: page.query.get("cursor"), limit: 50 };
	const { refresh } = await keepFresh(page, () => questions(fields, page.signal), (found) => [
		page.title("Waiting for people"),
		found.items.length
			? h("ul.cards", found.items.map((each) => questionCard(each, () => refresh())))
			: h("p.empty", "Nobody is asked anything. ", toList({ state: "suspended" }, "Suspended executions"), " wait for signals or a time. A task asks with ", h("code", "await ctx.approve(\"editor\", title=\"Publish it?\")"), "."),
		pager(page, found.next_cursor),
	]);
}

const SHAPES = { error: "failed", warning: "warning", advice: "suspended" };

const rank = (finding) => Object.keys(SHAPES).indexOf(finding.severity);

async function doctor(page) {
	await keepFresh(page, () => page.get("/v1/doctor"), (found) => [
		page.title("Doctor"),
		health(found),
		h("ul.cards", [...found.findings].sort((a, b) => rank(a) - rank(b)).map((each, index) =>
			h("li.card.row", { key: `${each.problem} ${index}` },
				h("h3", state(SHAPES[each.severity], each.severity), " ", words(each.problem)),
				h("p", withCommands(each.what), "."),
				h("p.faint", "Why it matters: ", withCommands(each.why), "."),
				h("p", "What to do: ", withCommands(each.advice), ".")))),
		found.unknown.map((each) => h("p.faint", withCommands(each))),
		h("p.faint", "The same in a terminal: ", h("code", "ff doctor"), "."),
	], { filter: OPERATOR, everyMs: 10000 });
}

export const lists = { budgets, doctor, flows, lanes, limits, schedules, waiting, workers };
