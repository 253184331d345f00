// Limits: how much of each is used, and how many wait for it.

import { get, may, path } from "./api.js";
import { counted, duration, num, state, time } from "./format.js";
import { h } from "./h.js";
import { spanMs } from "./search.js";
import { bar, inNamespace, keepFresh, pager, table } from "./ui.js";
import { verbsOf } from "./verbs.js";

export async function show(page) {
	page.title("Limits");
	const fields = { cursor: page.query.get("cursor"), limit: 100 };
	const { refresh } = await keepFresh(page, (signal) => get("/v1/limits", fields, signal), (found) => [
		h("h1", "Limits"),
		table({
			label: "Limits",
			columns: [["Limit"], ["Key"], ["At once"], ["Rate"], ["Waiting", "number"], ["State"], ...(may("steer") ? [[""]] : [])],
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
