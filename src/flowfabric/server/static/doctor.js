// What is wrong, why it matters, and the command that mends it.

import { get } from "./api.js";
import { state, words } from "./format.js";
import { h } from "./h.js";
import { health, keepFresh, withCommands } from "./ui.js";

const SHAPES = { error: "failed", warning: "warning", advice: "suspended" };

export async function show(page) {
	page.title("Doctor");
	await keepFresh(page, (signal) => get("/v1/doctor", {}, signal), (found) => [
		h("h1", "Doctor"),
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
