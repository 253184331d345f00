import { get, may, path, post, session } from "./api.js";
import { facts, json, time } from "./format.js";
import { h } from "./h.js";
import { toExecution } from "./router.js";
import { ask, command } from "./verbs.js";

const THEN = { resume: "goes on", fail: "fails", cancel: "is cancelled", expire: "expires", escalate: "asks an operator" };
const HIDDEN = new Set(["title", "choices", "approvers", "sources"]);

export const badge = { text: "", changed: () => {} };

export async function questions(fields, signal) {
	const found = await get("/v1/questions", fields, signal);
	if (!fields.cursor) count(found.items.length, found.next_cursor);
	return found;
}

export function count(number, hasMore) {
	badge.text = number ? `${number}${hasMore ? "+" : ""}` : "";
	badge.changed();
}

export const countQuestions = () => questions({ limit: 50 }).catch(() => null);

/* Whether the reader may decide about it. An approver does not decide about its own work. */
const mayDecide = (question) =>
	may("approve") &&
	(session.who.role !== "approver" || session.who.approves_own || !question.created_by || question.created_by !== session.who.name);

export function questionCard(question, done) {
	const { about, choices } = question;
	const shown = Object.entries(about).filter(([name]) => !HIDDEN.has(name)).map(([name, value]) => [name, typeof value === "string" ? value : json(value)]);
	return h("li.card.row", { key: `${question.execution_id} ${question.key}` },
		h("h3", toExecution(question.execution_id, question.title)),
		shown.length > 0 && facts(Object.fromEntries(shown)),
		h("p.faint",
			question.kind, " asks ", h("code", question.key), " since ", time(question.since_ms),
			question.created_by && `, made by ${question.created_by}`,
			question.timeout_at_ms ? [", ends ", time(question.timeout_at_ms), `; then it ${THEN[question.on_timeout] || question.on_timeout}`] : ", without end",
			about.approvers > 1 && `. It needs ${about.approvers} people`, "."),
		mayDecide(question)
			? h("div.choices", choices.map((choice, index) =>
					h("button", { type: "button", class: index ? "" : "main", onclick: () => decide(question, choice, index === 0, done) }, choice)))
			: may("approve") && h("p.faint", "You have made this yourself, so somebody else has to decide."));
}

async function decide(question, choice, isFirst, done) {
	const isKnown = !session.who.is_open;
	const fields = [{ name: "note", label: "A note (optional)", rows: 3, max: 2000 }];
	if (!isKnown) fields.unshift({ name: "by", label: "Your name", required: true, value: localStorage.getItem("name") || "", max: 128 });
	const answer = await ask({
		title: `${choice}?`,
		what: h("p", question.title),
		fields,
		confirm: `Answer: ${choice}`,
		command: ({ by, note }) => {
			const isPlain = question.choices.length === 2;
			const options = { as: isKnown ? session.who.name : by || "NAME", choice: isPlain ? "" : choice, note };
			return command(isFirst ? "approve" : "reject", question.execution_id, question.key, options);
		},
		run: async ({ by, note }) => {
			const source = isKnown ? session.who.name : by;
			if (!isKnown) localStorage.setItem("name", by);
			const sent = await post(path`/v1/executions/${question.execution_id}/signal`, {
				key: question.key, name: choice, source, payload: { json: { choice, note } },
			});
			return sent.effect === "counted" ? `“${choice}” is counted. It needs more answers.` : `“${choice}” was sent.`;
		},
	});
	if (answer) done();
}
