// The overview: is it healthy, how much is there to do, what has failed, who is asked.

import { get } from "./api.js";
import { copyButton, cut, nowMs, num, since, state, time, toneOf } from "./format.js";
import { h, s } from "./h.js";
import { questionCard, questions as askedOf } from "./questions.js";
import { link, listLink } from "./router.js";
import { health, inNamespace, keepFresh, table } from "./ui.js";

const HOUR_MS = 3600000;
const ENDS = ["completed", "failed", "expired", "cancelled", "skipped"];
const DOCTOR_MS = 15000;
const SHOWN = 4; // how many questions are shown here

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
	let doctor = null;
	let examinedAt = -DOCTOR_MS;
	let fresh = { refresh: async () => {}, paint: () => {} };
	/* It takes longer than the rest, so the page does not wait for it. */
	const examine = async (signal) => {
		if (performance.now() - examinedAt < DOCTOR_MS) return;
		examinedAt = performance.now();
		doctor = await get("/v1/doctor", {}, signal).catch(() => doctor);
		fresh.paint();
	};
	const load = async (signal) => {
		examine(signal);
		const [stats, lanes, failed, minutes, questions] = await Promise.all([
			get("/v1/stats", {}, signal),
			get("/v1/lanes", {}, signal),
			get("/v1/failures", { since_ms: Math.floor(nowMs() - HOUR_MS), limit: 20 }, signal),
			get("/v1/throughput", { since_ms: Math.floor(nowMs() - HOUR_MS) }, signal),
			askedOf({ limit: 50 }, signal),
		]);
		return { stats, lanes, failed, minutes, questions };
	};
	fresh = await keepFresh(page, load, (data) => view(data, doctor, () => fresh.refresh()));
	fresh.paint();
}

function view({ stats, lanes, failed, minutes, questions }, doctor, refresh) {
	const count = stats.executions;
	const total = Object.values(count).reduce((sum, each) => sum + each, 0);
	if (!total && !stats.live_workers) return [h("h1", "Overview"), healthOf(doctor), welcome()];
	const lastMinute = lanes.reduce((sum, lane) => sum + lane.ended_last_minute, 0);
	const recent = failed.reduce((sum, each) => sum + each.count, 0);
	const isUnserved = count.waiting > 0 && !stats.live_workers;
	return [
		h("h1", "Overview"),
		healthOf(doctor),
		h("ul.numbers",
			number("Waiting", num(count.waiting), listLink("/executions", { state: "waiting" }), `${num(count.delayed)} delayed`),
			number("Running", num(count.active), listLink("/executions", { state: "active" }), `${num(lastMinute)} ended in the last minute`),
			number("Failed", num(count.failed), listLink("/executions", { state: "failed" }), `${num(recent)} in the last hour`, recent > 0),
			number("Oldest waiting", stats.oldest_ready_at_ms ? since(stats.oldest_ready_at_ms) : "–", link`/lanes`, "ready, and not claimed"),
			number("Workers", num(stats.live_workers), link`/workers`, isUnserved ? "nobody runs what waits" : "alive", isUnserved),
			number("Asked of people", `${num(questions.items.length)}${questions.next_cursor ? "+" : ""}`, link`/waiting`, `${num(count.suspended)} suspended`)),
		questions.items.length
			? h("section", { key: "people" }, h("h2", h("a", { href: link`/waiting` }, "Waiting for people")),
					h("ul.cards", questions.items.slice(0, SHOWN).map((each) => questionCard(each, refresh))))
			: null,
		h("section", { key: "ends" }, h("h2", "Ended in the last hour"), chart(minutes)),
		h("section", { key: "lanes" }, h("h2", h("a", { href: link`/lanes` }, "Lanes")), lanesTable(lanes)),
		h("section", { key: "failures" }, h("h2", "Failed in the last hour"), failures(failed)),
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
	const columns = [["Lane"], ["State"], ["Waiting", "number"], ["Oldest", "number"], ["Running", "number"], ["Later", "number"],
		["Blocked", "number"], ["Parked", "number"], ["Ended / min", "number"], ["Workers", "number"]];
	if (buttons) columns.push([""]);
	return table({
		label: "Lanes",
		columns,
		empty: "There is no lane yet: nothing was submitted, and no worker runs.",
		rows: lanes.map((lane) => {
			const isUnserved = lane.waiting > 0 && !lane.live_workers;
			const cells = [
				[h("a", { href: listLink("/executions", { lane: lane.lane }) }, lane.lane), inNamespace(lane)],
				lane.paused_at_ms ? [state("paused"), lane.pause_reason ? h("span.faint", ` ${lane.pause_reason}`) : null]
					: isUnserved ? state("warning", "no worker") : state("completed", "open"),
				num(lane.waiting),
				lane.oldest_ready_at_ms ? since(lane.oldest_ready_at_ms) : "–",
				num(lane.active), num(lane.delayed), num(lane.blocked), num(lane.parked), num(lane.ended_last_minute), num(lane.live_workers),
			];
			if (buttons) cells.push(buttons(lane));
			return { key: `${lane.namespace} ${lane.lane}`, cells };
		}),
	});
}

const failures = (found) => table({
	label: "Failures of the last hour, by task and message",
	columns: [["Count", "number"], ["Task"], ["Error", "wide"], ["Last"]],
	empty: "Nothing has failed in the last hour.",
	rows: found.map(({ kind, code, message, count, last_at_ms: lastMs }) => ({
		key: JSON.stringify([kind, code, message]),
		cells: [num(count), h("a", { href: listLink("/executions", { state: "failed", kind }) }, kind), [h("code", code), " ", cut(message)], time(lastMs)],
	})),
});

/* How many have ended in each minute of the last hour, by outcome. */
function chart(minutes) {
	const first = Math.floor((nowMs() - HOUR_MS) / 60000) + 1;
	const total = Object.fromEntries(ENDS.map((name) => [name, minutes.reduce((sum, each) => sum + (each.ended[name] || 0), 0)]));
	const highest = Math.max(1, ...minutes.map((each) => Object.values(each.ended).reduce((sum, count) => sum + count, 0)));
	const column = ({ began_at_ms: beganMs, ended }) => {
		let y = 1;
		return ENDS.filter((name) => ended[name]).map((name) => {
			const height = ended[name] / highest;
			y -= height;
			return s("rect", { class: toneOf(name), x: beganMs / 60000 - first + 0.1, y, width: 0.8, height });
		});
	};
	const words = ENDS.filter((name) => total[name]).map((name) => [state(name, `${num(total[name])} ${name}`), " "]);
	return [h("p", words.length ? words : h("span.faint", "Nothing has ended.")),
		s("svg", { class: "chart", viewBox: "0 0 60 1", preserveAspectRatio: "none", role: "img", "aria-label": `Ends in each minute of the last hour, ${num(highest)} at most` },
			minutes.map(column))];
}

/* Nothing has been submitted yet: what to type. */
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
