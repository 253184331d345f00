// Flows, newest first.

import { get } from "./api.js";
import { duration, idOf, num, state, tagsOf, time } from "./format.js";
import { h } from "./h.js";
import { link } from "./router.js";
import { chips, inNamespace, keepFresh, pager, table } from "./ui.js";

const STATES = ["open", "running", "completed", "failed", "cancelled"];

export async function show(page) {
	page.title("Flows");
	const wanted = page.query.get("state");
	const fields = { state: wanted, cursor: page.query.get("cursor"), limit: 50 };
	await keepFresh(page, (signal) => get("/v1/flows", fields, signal), (found) => [
		h("h1", "Flows"),
		chips(page, "state", STATES, (each) => state(each)),
		table({
			label: "Flows",
			columns: [["State"], ["Flow"], ["Id"], ["Members", "number"], ["Created"], ["Took", "number"]],
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
