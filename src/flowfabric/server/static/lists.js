// Pages that are one list each.

import { get, may, path } from "./api.js";
import { counted, duration, idOf, num, state, tagsOf, time, words } from "./format.js";
import { h } from "./h.js";
import { lanesTable } from "./overview.js";
import { questionCard, questions } from "./questions.js";
import { link, listLink } from "./router.js";
import { spanMs } from "./search.js";
import { bar, chips, health, inNamespace, keepFresh, pager, table, withCommands } from "./ui.js";
import { REASON, verbsOf } from "./verbs.js";

async function lanes(page) {
	const { refresh } = await keepFresh(page, (signal) => get("/v1/lanes", {}, signal), (lanes) => [
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

async function schedules(page) {
	const { refresh } = await keepFresh(page, (signal) => get("/v1/schedules", {}, signal), (schedules) => [
		page.title("Schedules"),
		table({
			label: "Schedules",
			columns: ["Name", "State", "Rule", "Task", "Lane", "Last #", "Next #", "Missed slots", ...(may("steer") ? [""] : [])],
			empty: ["There is no schedule. A program makes one with ", h("code", "ff.every(\"10m\", sync)"), "."],
			rows: schedules.map((each) => ({
				key: `${each.namespace} ${each.name}`,
				cells: [
					[h("strong", each.name), inNamespace(each)],
					each.is_paused ? [state("paused"), each.pause_reason ? h("span.faint", ` ${each.pause_reason}`) : null]
						: each.is_orphaned ? state("warning", "no worker has its code") : state("active", "fires"),
					each.cron ? [h("code", each.cron), h("span.faint", ` ${each.timezone}`)] : `every ${duration(each.every_ms)}`,
					h("a", { href: listLink("/executions", { kind: each.kind }) }, each.kind),
					each.lane, time(each.last_slot_ms, "never"), time(each.next_slot_ms, "never"), { skip: "are skipped", last: "the newest fires", all: "all fire" }[each.catch_up],
					...(may("steer") ? [verbs(each, () => refresh())] : []),
				],
			})),
		}),
	], { filter: { channels: ["operator"] } });
}

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

async function workers(page) {
	await keepFresh(page, (signal) => get("/v1/workers", {}, signal), (workers) => [
		page.title("Workers"),
		h("p.faint", `${counted(workers.filter((each) => each.is_alive).length, "worker")} alive.`),
		table({
			label: "Workers",
			columns: ["Worker", "State", "Host", "Process #", "Lanes", "Can do", "Version", "Started #", "Seen #"],
			empty: ["No worker was seen within the last day. Start one: ", h("code", "ff worker app:ff")],
			rows: [...workers].sort((a, b) => b.is_alive - a.is_alive || b.seen_at_ms - a.seen_at_ms).map((each) => ({
				key: each.worker_instance_id,
				cells: [
					[h("strong", each.worker_id), " ", idOf(each.worker_instance_id), inNamespace(each)],
					each.is_alive ? state("active", "alive") : each.is_silent ? state("warning", "silent") : state("cancelled", "gone"),
					each.host, each.pid,
					each.lanes.map((lane) => [h("a", { href: listLink("/executions", { lane }) }, lane), " "]),
					each.capabilities.join(", ") || "–", each.version, time(each.started_at_ms), time(each.seen_at_ms),
				],
			})),
		}),
	], { filter: { channels: ["operator"] } });
}

async function limits(page) {
	const fields = { cursor: page.query.get("cursor"), limit: 100 };
	const { refresh } = await keepFresh(page, (signal) => get("/v1/limits", fields, signal), (found) => [
		page.title("Limits"),
		table({
			label: "Limits",
			columns: ["Limit", "Key", "At once", "Rate", "Waiting #", "State", ...(may("steer") ? [""] : [])],
			empty: ["There is no limit. A task takes part in one with ", h("code", "limits=[Limit(\"openai\", concurrency=8)]"), "."],
			rows: found.items.map((each) => ({
				key: JSON.stringify([each.namespace, each.name, each.key]),
				cells: [
					[h("strong", each.name), inNamespace(each)],
					each.key ? h("code", each.key) : h("span.faint", "–"),
					each.concurrency === null ? `${num(each.in_use)}, unlimited` : bar(each.in_use, each.concurrency),
					each.rate === null ? h("span.faint", "any") : `${num(each.rate)} per ${duration(each.per_ms)}${each.burst === null ? "" : `, burst ${num(each.burst)}`}`,
					num(each.parked),
					each.paused_until_ms ? [state("paused"), ", ends ", time(each.paused_until_ms)]
						: each.opens_at_ms ? [state("delayed", "closed"), ", opens ", time(each.opens_at_ms)]
						: each.concurrency !== null && each.in_use >= each.concurrency ? state("rate_limited", "full") : state("completed", "open"),
					...(may("steer") ? [pause(each, () => refresh())] : []),
				],
			})),
		}),
		pager(page, found.next_cursor),
	]);
}

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

async function budgets(page) {
	const fields = { cursor: page.query.get("cursor"), limit: 100 };
	const { refresh } = await keepFresh(page, (signal) => get("/v1/budgets", fields, signal), (found) => [
		page.title("Budgets"),
		table({
			label: "Budgets",
			columns: ["Budget", "Used ~", "Period", "Next period", "Waiting #", "If exceeded", ...(may("manage") ? [""] : [])],
			empty: ["There is no budget. ", h("code", "ff budgets set team-a --limit usd_micros=50000000 --period day"), " makes one."],
			rows: found.items.map((each) => ({
				key: `${each.namespace} ${each.name}`,
				cells: [
					[h("strong", each.name), inNamespace(each), each.parent ? h("div.faint", `part of ${each.parent}`) : null],
					h("ul.plain", Object.entries(each.limits).map(([name, limit]) => h("li", { key: name }, used(each, name, limit)))),
					each.period ? [each.period, h("span.faint", ` ${each.timezone}`)] : h("span.faint", "none"),
					time(each.next_reset_at_ms, "never"),
					num(each.parked),
					each.on_exceeded === "cancel" ? state("cancelled", "cancels") : state("paused", "pauses"),
					...(may("manage") ? [reset(each, () => refresh())] : []),
				],
			})),
		}),
		pager(page, found.next_cursor),
	]);
}

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

async function flows(page) {
	const wanted = page.query.get("state");
	const fields = { state: wanted, cursor: page.query.get("cursor"), limit: 50 };
	await keepFresh(page, (signal) => get("/v1/flows", fields, signal), (found) => [
		page.title("Flows"),
		chips(page, "state", STATES, (each) => state(each)),
		table({
			label: "Flows",
			columns: ["State", "Flow", "Id", "Members #", "Created", "Ended after #"],
			empty: wanted ? "No flow is in this state." : ["There are no flows. A program makes one with ", h("code", "with ff.flow(\"order\") as flow:"), "."],
			rows: found.items.map((flow) => ({
				key: flow.flow_id,
				cells: [
					state(flow.state),
					[h("a", { href: link`/flows/${flow.flow_id}` }, flow.kind), inNamespace(flow), h("div", tagsOf(flow.tags))],
					idOf(flow.flow_id), num(flow.node_count), time(flow.created_at_ms),
					flow.terminal_at_ms ? duration(flow.terminal_at_ms - flow.created_at_ms) : "–",
				],
			})),
		}),
		pager(page, found.next_cursor),
	]);
}

async function waiting(page) {
	const fields = { cursor: page.query.get("cursor"), limit: 50 };
	const { refresh } = await keepFresh(page, (signal) => questions(fields, signal), (found) => [
		page.title("Waiting for people"),
		found.items.length
			? h("ul.cards", found.items.map((each) => questionCard(each, () => refresh())))
			: h("p.empty", "Nobody is asked anything. A task asks with ", h("code", "await ctx.approve(\"editor\", title=\"Publish it?\")"), "."),
		pager(page, found.next_cursor),
	]);
}

const SHAPES = { error: "failed", warning: "warning", advice: "suspended" };

async function doctor(page) {
	await keepFresh(page, (signal) => get("/v1/doctor", {}, signal), (found) => [
		page.title("Doctor"),
		health(found),
		h("ul.cards", found.findings.map((each, index) =>
			h("li.card.row", { key: `${each.problem} ${index}` },
				h("h3", state(SHAPES[each.severity], each.severity), " ", words(each.problem)),
				h("p", withCommands(each.what), "."),
				h("p.faint", "Why it matters: ", withCommands(each.why), "."),
				h("p", "What to do: ", withCommands(each.advice), ".")))),
		found.unknown.map((each) => h("p.faint", withCommands(each))),
		h("p.faint", "The same in a terminal: ", h("code", "ff doctor"), "."),
	], { filter: { channels: ["operator"] }, everyMs: 10000 });
}

export const lists = { budgets, doctor, flows, lanes, limits, schedules, waiting, workers };
