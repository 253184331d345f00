// Lanes: how much waits in each, and who serves it. A lane can be paused.

import { get, may, path } from "./api.js";
import { counted } from "./format.js";
import { h } from "./h.js";
import { lanesTable } from "./overview.js";
import { keepFresh } from "./ui.js";
import { REASON, verbsOf } from "./verbs.js";

export async function show(page) {
	page.title("Lanes");
	const { refresh } = await keepFresh(page, (signal) => get("/v1/lanes", {}, signal), (lanes) => [
		h("h1", "Lanes"),
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
