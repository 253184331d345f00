import { cut, detailsOf, idOf, instant, words } from "./format.js";
import { h } from "./h.js";
import { link, listLink } from "./router.js";
import { isId } from "./search.js";
import { chips, searchBox, table } from "./ui.js";
import { longText } from "./values.js";
import { command } from "./verbs.js";

const CHANNELS = ["lease", "completion", "operator", "signal"];
const NEWEST = 100; // so many are shown at first
const KEPT = 300; // how many events are shown at most
const FIELDS = ["channel", "execution", "flow", "from"];

export async function show(page) {
	const [channel, execution, flow, from] = FIELDS.map((name) => page.query.get(name) || "");
	const filter = { channels: channel || null, execution_id: execution || null, flow_id: flow || null };
	const beginsAtStart = from === "start" || Boolean(execution || flow);
	let events = [];
	let cursor = null;
	let hasMore = false;
	const take = (more) => {
		events = [...more].reverse().concat(events).slice(0, KEPT);
		paint();
	};
	const read = async () => {
		const found = beginsAtStart
			? await page.get("/v1/events", { ...filter, cursor, limit: KEPT })
			: await page.get("/v1/events:newest", { channels: filter.channels, limit: NEWEST });
		cursor = found.next_cursor;
		hasMore = found.events.length === KEPT;
		take(found.events);
	};
	const search = (text) => {
		const isExecution = text.startsWith("{fp:");
		page.filter({ execution: isExecution ? text : null, flow: !isExecution && isId(text) ? text : null });
	};
	const paint = () => page.paint(
		page.title("Events"),
		searchBox(execution || flow, "the id of an execution or of a flow", "The id of an execution or of a flow", search),
		chips(page, "channel", CHANNELS),
		!beginsAtStart && h("p", "The newest events, and what happens from now on. ",
			h("a", { href: listLink("/events", { channel, from: "start" }) }, "From the start of the log")),
		table({
			label: "Events, newest first",
			columns: ["Time", "Channel", "What", "Of", "Details ~"],
			empty: beginsAtStart ? "There are no such events." : "None of the newest events is of this channel.",
			rows: events.map((each) => ({ key: each.event_id, cells: [
				instant(each.occurred_at_ms), each.channel, h("strong.state", words(each.event_type)), subject(each), longText(detailsOf(each), 300),
			] })),
		}),
		hasMore && h("p", h("button", { onclick: read }, "Later events")),
		h("p.faint", "The same in a terminal: ", h("code", command("tail", { from: beginsAtStart ? "start" : "", channel, execution, flow })), "."));
	await read();
	page.live({ ...filter, cursor: beginsAtStart ? null : cursor }, (more) => (beginsAtStart ? hasMore || read() : take(more)));
}

function subject(event) {
	if (event.execution_id) return idOf(event.execution_id, link`/executions/${event.execution_id}`);
	if (event.flow_id) return ["flow\u00a0", idOf(event.flow_id, link`/flows/${event.flow_id}`)];
	for (const kind of ["schedule", "lane", "budget", "limit", "token"]) {
		if (event.details[kind]) return `${kind} ${cut(String(event.details[kind]), 80)}`;
	}
	return "";
}
