import { copyButton, counted, cut, nowMs, num, since, state, time, toneOf } from "./format.js";
import { h, s } from "./h.js";
import { count, questionCard } from "./questions.js";
import { link, listLink, toList } from "./router.js";
import { chips, health, inNamespace, keepFresh, parked, pausedFor, table } from "./ui.js";

const HOUR_MS = 3600000;
const ENDS = ["completed", "failed", "expired", "cancelled", "skipped"];
const GROUPS = 20; // so many groups of failures the server sends at most
const SHOWN = 4; // how many questions are shown here
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

const FIRST_LINES = `# app.py
from flowfabric import Context, FlowFabric

ff = FlowFabric()

@ff.task
async def greet(ctx: Context, name: str) -> str:
		return f"hello {name}"
`;
const FIRST_COMMANDS = `ff worker app:ff &
ff submit greet '{"name": "Ann"}' --app app:ff`;

export async function show(page) {
	page.title("Overview");
	const isDay = page.query.get("hours") === "24";
	const old = {}; // what is read less often: it takes longer than the rest, so the page does not wait for it
	let fresh = { refresh: async () => {}, paint: () => {} };
	const nowAndThen = async (name, everyMs, read) => {
		const kept = (old[name] ??= { atMs: -Infinity });
		if (performance.now() - kept.atMs < everyMs) return;
		kept.atMs = performance.now();
		kept.found = await read().catch(() => kept.found);
		fresh.paint();
	};
	const load = async () => {
		nowAndThen("doctor", 15000, () => page.get("/v1/doctor"));
		if (isDay) nowAndThen("day", 60000, () => page.get("/v1/throughput", { since_ms: Math.floor(nowMs() - 24 * HOUR_MS) }));
		const found = await page.get("/v1/overview");
		count(found.questions.length, found.has_more_questions);
		return found;
	};
	fresh = await keepFresh(page, load, (found) => view(found, old.doctor?.found, () => fresh.refresh(),
		isDay ? chart(page, old.day?.found, 24) : chart(page, found.ends, 1)));
	fresh.paint();
}

function view({ stats, lanes, failures: failed, ends, questions, has_more_questions: hasMore }, doctor, refresh, ended) {
	const { executions: count, flows } = stats;
	const total = sum(Object.values(count));
	if (!total && !stats.live_workers) return [h("h1", "Overview"), healthOf(doctor), welcome()];
	const lastMinute = sum(lanes.map((lane) => lane.ended_last_minute));
	const recent = sum(failed.map((each) => each.count));
	const mended = failed.length < GROUPS ? sum(ends.map((each) => each.ended.failed || 0)) - recent : 0;
	const isUnserved = count.waiting > 0 && !stats.live_workers;
	return [
		h("h1", "Overview"),
		healthOf(doctor),
		h("ul.numbers",
			number("Waiting", num(count.waiting), listLink("/executions", { state: "waiting" }), `${num(count.delayed)} delayed`),
			number("Running", num(count.active), listLink("/executions", { state: "active" }), `${num(lastMinute)} ended in the last minute`),
			number("Failed", num(count.failed), listLink("/executions", { state: "failed" }), `${num(recent)} of them in the last hour`, recent > 0),
			number("Flows", num(flows.open + flows.running), listLink("/flows", { state: ["failed", "running", "open"].find((name) => flows[name]) }), `not ended, ${num(flows.failed)} failed`),
			number("Oldest waiting", stats.oldest_ready_at_ms ? since(stats.oldest_ready_at_ms) : "–", link`/lanes`, "ready, not taken yet"),
			number("Workers", num(stats.live_workers), link`/workers`, isUnserved ? "nobody runs what waits" : "alive", isUnserved),
			number("Suspended", num(count.suspended), listLink("/executions", { state: "suspended" }), `${counted(questions.length, "question")}${hasMore ? " or more" : ""} to people`)),
		questions.length > 0 && h("section", { key: "people" }, h("h2", h("a", { href: link`/waiting` }, "Waiting for people")),
			h("ul.cards", questions.slice(0, SHOWN).map((each) => questionCard(each, refresh)))),
		h("section", { key: "failures" }, h("h2", "Failed in the last hour"), failures(failed),
			mended > 0 && h("p.faint", `${num(mended)} more failed, and ${mended === 1 ? "is" : "are"} no longer failed: replayed or removed since.`)),
		h("section", { key: "ends" }, ended),
		h("section", { key: "lanes" }, h("h2", h("a", { href: link`/lanes` }, "Lanes")), lanesTable(lanes)),
	];
}

function healthOf(doctor) {
	if (!doctor) return h("p.health.faint", "Examining…");
	const { findings, summary } = doctor;
	const worst = findings.find((each) => each.severity === "error") || findings.find((each) => each.severity === "warning");
	return health(doctor, worst ? `${worst.what}. ` : summary, " ", h("a", { href: link`/doctor` }, findings.length ? "All findings" : "Doctor"));
}

function number(name, value, href, more, isBad = false) {
	return h("li", { key: name, class: isBad ? "bad" : "" },
		h("a", { href }, h("span.name", name), h("span.value", value), h("span.more", more)));
}

export function lanesTable(lanes, buttons) {
	const columns = ["Lane", "State", ["Waiting #", "ready, and no worker has taken them"], "Oldest #", "Running #",
		["Delayed #", "they start at a later time"], ["Held up #", "they wait for other executions, for signals or people, or an operator holds them"],
		["At a limit #", "they wait for a limit or a budget"], "Ended in 1 min #", "Workers #"];
	if (buttons) columns.push("");
	return table({
		label: "Lanes",
		columns,
		empty: "There is no lane yet: nothing was submitted, and no worker runs.",
		rows: lanes.map((lane) => {
			const isUnserved = lane.waiting > 0 && !lane.live_workers;
			const cells = [
				[toList({ lane: lane.lane }, lane.lane), inNamespace(lane)],
				lane.paused_at_ms ? buttons ? pausedFor(lane.pause_reason) : h("a", { href: link`/lanes` }, pausedFor(lane.pause_reason))
					: isUnserved ? state("warning", "no worker") : state("completed", "open"),
				num(lane.waiting),
				lane.oldest_ready_at_ms ? since(lane.oldest_ready_at_ms) : "–",
				num(lane.active), num(lane.delayed), num(lane.blocked), parked(lane.parked, lane.lane), num(lane.ended_last_minute), num(lane.live_workers),
			];
			if (buttons) cells.push(buttons(lane));
			return { key: `${lane.namespace} ${lane.lane}`, cells };
		}),
	});
}

const failures = (found) => table({
	label: "Failures of the last hour, by task and message",
	columns: ["Task", "Count #", "Error ~", "Last"],
	empty: "Nothing has failed in the last hour.",
	rows: found.map(({ kind, code, message, count, last_at_ms: lastMs }) => ({
		key: JSON.stringify([kind, code, message]),
		cells: [toList({ state: "failed", kind }, kind), num(count), [h("code", code), " ", cut(message)], time(lastMs)],
	})),
});

/* How many have ended within some hours, by outcome, in sixty columns. */
function chart(page, minutes, hours) {
	const title = h("div.tools", h("h2", hours === 1 ? "Ended in the last hour" : "Ended in the last 24 hours"),
		chips(page, "hours", ["24"], () => "24 h", "1 h"));
	if (!minutes) return [title, h("p.faint", "…")];
	const first = Math.floor(nowMs() / 60000) + 1 - hours * 60;
	const columns = Array.from({ length: 60 }, () => ({}));
	const total = {};
	for (const { began_at_ms: beganMs, ended } of minutes) {
		const column = columns[Math.floor((beganMs / 60000 - first) / hours)];
		for (const [name, count] of Object.entries(column ? ended : {})) {
			column[name] = (column[name] || 0) + count;
			total[name] = (total[name] || 0) + count;
		}
	}
	const highest = Math.max(1, ...columns.map((each) => sum(Object.values(each))));
	const bars = (column, x) => {
		let y = 1;
		return ENDS.filter((name) => column[name]).map((name) => {
			const height = column[name] / highest;
			y -= height;
			return s("rect", { class: toneOf(name), x: x + 0.1, y, width: 0.8, height });
		});
	};
	const words = ENDS.filter((name) => total[name]).map((name) => [state(name, `${num(total[name])} ${name}`), " "]);
	return [title, h("p", words.length ? words : h("span.faint", "Nothing has ended.")),
		s("svg", { class: "chart", viewBox: "0 0 60 1", preserveAspectRatio: "none", role: "img", "aria-label": `Ends in each ${hours === 1 ? "minute" : `${hours} minutes`}, ${num(highest)} at most` },
			columns.map(bars))];
}

function welcome() {
	const block = (text) => h("div.sample", h("pre", h("code", text)), copyButton(text, "Copy"));
	return h("section.welcome",
		h("h2", "There are no executions yet"),
		h("p", "Save this as ", h("code", "app.py"), ". A function becomes a task, and its calls outlive the process that made them."),
		block(FIRST_LINES),
		h("p", "Then start a worker on the database of this page, and submit the first call:"),
		block(FIRST_COMMANDS),
		h("p.faint", "This page shows it as soon as it is there."));
}
