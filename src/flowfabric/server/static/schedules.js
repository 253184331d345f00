// Schedules: when each fires next, and whether it does.

import { get, may, path } from "./api.js";
import { duration, state, time } from "./format.js";
import { h } from "./h.js";
import { listLink } from "./router.js";
import { inNamespace, keepFresh, table } from "./ui.js";
import { REASON, verbsOf } from "./verbs.js";

export async function show(page) {
	page.title("Schedules");
	const { refresh } = await keepFresh(page, (signal) => get("/v1/schedules", {}, signal), (schedules) => [
		h("h1", "Schedules"),
		table({
			label: "Schedules",
			columns: [["Name"], ["State"], ["Rule"], ["Task"], ["Lane"], ["Last"], ["Next"], ["If late"], ...(may("steer") ? [[""]] : [])],
			empty: ["There is no schedule. A program makes one with ", h("code", "ff.every(\"10m\", sync)"), "."],
			rows: schedules.map((each) => ({
				key: `${each.namespace} ${each.name}`,
				cells: [
					[h("strong", each.name), inNamespace(each)],
					each.is_paused ? [state("paused"), each.pause_reason ? h("span.faint", ` ${each.pause_reason}`) : null]
						: each.is_orphaned ? state("warning", "no worker has its code") : state("active", "fires"),
					each.cron ? [h("code", each.cron), h("span.faint", ` ${each.timezone}`)] : `every ${duration(each.every_ms)}`,
					h("a", { href: listLink("/executions", { kind: each.kind }) }, each.kind),
					each.lane, time(each.last_slot_ms, "never"), time(each.next_slot_ms, "never"), each.catch_up,
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
