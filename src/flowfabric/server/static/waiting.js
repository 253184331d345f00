// Waiting for people: the open questions, the longest wait first.

import { h } from "./h.js";
import { questionCard, questions } from "./questions.js";
import { keepFresh, pager } from "./ui.js";

export async function show(page) {
	page.title("Waiting for people");
	const fields = { cursor: page.query.get("cursor"), limit: 50 };
	const { refresh } = await keepFresh(page, (signal) => questions(fields, signal), (found) => [
		h("h1", "Waiting for people"),
		found.items.length
			? h("ul.cards", found.items.map((each) => questionCard(each, () => refresh())))
			: h("p.empty", "Nobody is asked anything. A task asks with ", h("code", "await ctx.approve(\"editor\", title=\"Publish it?\")"), "."),
		pager(page, found.next_cursor),
	]);
}
