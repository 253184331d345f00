// Workers that are alive, or have died within the last day.

import { get } from "./api.js";
import { counted, idOf, state, time } from "./format.js";
import { h } from "./h.js";
import { listLink } from "./router.js";
import { inNamespace, keepFresh, table } from "./ui.js";

export async function show(page) {
	page.title("Workers");
	await keepFresh(page, (signal) => get("/v1/workers", {}, signal), (workers) => [
		h("h1", "Workers"),
		h("p.faint", `${counted(workers.filter((each) => each.is_alive).length, "worker")} alive.`),
		table({
			label: "Workers",
			columns: [["Worker"], ["State"], ["Host"], ["Process", "number"], ["Lanes"], ["Can do"], ["Version"], ["Started"], ["Seen"]],
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
