// Budgets: what is used of each, in every dimension.

import { get, may, path } from "./api.js";
import { num, state, time } from "./format.js";
import { h } from "./h.js";
import { bar, inNamespace, keepFresh, pager, table } from "./ui.js";
import { verbsOf } from "./verbs.js";

export async function show(page) {
	page.title("Budgets");
	const fields = { cursor: page.query.get("cursor"), limit: 100 };
	const { refresh } = await keepFresh(page, (signal) => get("/v1/budgets", fields, signal), (found) => [
		h("h1", "Budgets"),
		table({
			label: "Budgets",
			columns: [["Budget"], ["Used", "wide"], ["Period"], ["Next period"], ["Waiting", "number"], ["If exceeded"], ...(may("manage") ? [[""]] : [])],
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
