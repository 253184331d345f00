import { may, path, post, session } from "./api.js";
import { button, counted, cut, detailsOf, duration, idOf, instant, num, shortId, since, state, tagsOf, time, words } from "./format.js";
import { fill, h } from "./h.js";
import { follow } from "./output.js";
import { questionCard } from "./questions.js";
import { link, listLink, toExecution, toList } from "./router.js";
import { timeline } from "./timeline.js";
import { table } from "./ui.js";
import { data, explained, failure, longText, tree } from "./values.js";
import { ask, command, REASON } from "./verbs.js";

const EVENTS = 500;
const EACH_MS = 1500; // while much happens, it is read once in this time
const CHILDREN = 50;
const FEW = 20; // so many attempts and events are shown; the rest is folded

export async function show(page) {
	const { id } = page.args;
	const at = (rest) => path`/v1/executions/${id}` + rest;
	page.title("Execution");
	let found = null;
	const shown = new Set();

	async function read() {
		const { execution: x, ...others } = await page.getExact(at("/view") + (found ? "" : "?values=true"));
		found = { x, ...others };
		page.title(`${cut(x.kind, 60)} ${words(x.public_state)}`);
	}

	const refresh = page.inTurn(async () => {
		const endedMs = found.x.terminal_at_ms;
		await read();
		paint();
		if (found.x.terminal_at_ms !== endedMs) showValue("result");
	});

	/* Arguments and result do not change while one looks. Large ones are read after the page is there. */
	async function showValue(name) {
		const { x, [name]: known } = found;
		const place = document.getElementById(name);
		if (!place || page.isOver) return;
		try {
			const isThere = name === "payload" || x.public_state === "completed";
			const value = known || (isThere && await page.getExact(at(`/${name}`)));
			fill(place, isThere || x.terminal_at_ms ? h("div", { keep: true, key: x.replay_count }, data(value || null)) : h("span.faint", "It has not ended yet."));
		} catch (error) {
			if (error.name !== "AbortError") fill(place, h("p.error", error.message));
		}
	}

	function paint() {
		const { x, explanation, attempts, steps, events, questions } = found;
		page.paint(
			h("h1", cut(x.kind, 120), " ", state(x.public_state), x.node && x.node !== x.kind && h("span.faint", ` ${cut(x.node, 60)}`)),
			h("p.line", idOf(x.execution_id), " in lane ", toList({ lane: x.lane }, cut(x.lane, 80)),
				x.flow_id && [", of flow ", h("a", { href: listLink(path`/flows/${x.flow_id}`, { node: id }) }, shortId(x.flow_id))],
				x.parent_id && [", child of ", toExecution(x.parent_id)],
				", created ", time(x.created_at_ms), x.created_by && ` by ${cut(x.created_by)}`),
			h("p.explain", explained(explanation, id, x.flow_id)),
			(x.progress_percent !== null || x.progress_message) &&
				h("p", h("progress", { max: 100, value: x.progress_percent ?? 0, "aria-label": "Progress" }), ` ${x.progress_percent ?? ""}${x.progress_percent === null ? "" : " % "}`, longText(x.progress_message || "", 200)),
			x.terminal_at_ms !== null && x.failure && failure(x.failure),
			h("div.tools", verbs(x, steps)),
			waits(x, questions),
			h("h2", "Timeline"),
			timeline(x, events, steps),
			h("div.columns", [["Arguments", "payload"], ["Result", "result"]].map(([text, name]) =>
				h("section", h("h2", text), h("div.payload", { id: name, keep: true, key: name }, "…")))),
			h("h2", "Output"),
			h("div", { id: "output", keep: true, key: "output" }),
			attempts.length > 0 && [h("h2", counted(attempts.length, "attempt"), x.replay_count ? " since the replay" : ""), attemptsOf(attempts)],
			steps.length > 0 && [h("h2", counted(steps.length, "stored step")), stepsOf(steps)],
			events.length > 0 && [h("h2", events.length === EVENTS ? `The first ${EVENTS} events` : counted(events.length, "event")), eventsOf(events)],
			h("h2", "Facts"),
			facts(x));
	}

	function facts(x) {
		const began = x.replay_count ? found.attempts[0]?.started_at_ms : x.started_at_ms;
		const row = (name, ...value) => (value.flat().some((each) => each !== null && each !== false && each !== "") ? [h("dt", name), h("dd", value)] : null);
		return h("dl.facts",
			row("id", idOf(x.execution_id, null, true)),
			row("namespace", cut(x.namespace)),
			row("children", children()),
			row(x.replay_count ? "first started" : "started", time(x.started_at_ms)),
			row("ended", time(x.terminal_at_ms)),
			row(x.replay_count ? "took since the replay" : "took", began && (x.terminal_at_ms ? duration(x.terminal_at_ms - began) : since(began))),
			row("deadline", x.deadline_at_ms && time(x.deadline_at_ms)),
			row("starts", x.delay_until_ms && time(x.delay_until_ms)),
			row("priority", num(x.priority)),
			row("retries", `${num(x.retry_count)}, interruptions ${num(x.interruption_count)}, replays ${num(x.replay_count)}`),
			row("needs", x.required_capabilities.join(", ")),
			row("cancelled", x.cancellation_reason && `${cut(x.cancellation_reason)}${x.cancelled_by ? ` (by ${cut(x.cancelled_by)})` : ""}`),
			row("tags", tagsOf(x.tags)),
			row("limits", x.gates && h("div", { keep: true, key: "gates" }, tree(x.gates, 1))));
	}

	const children = () => h("span", { id: "children", keep: true, key: "children" }, button("Look", async () => {
		const { items, next_cursor: next } = await page.get(at("/children"), { limit: CHILDREN });
		fill(document.getElementById("children"), items.length ? h("ul.plain", items.map((each) => h("li", { key: each.execution_id },
			toExecution(each.execution_id, cut(each.kind, 60)), " ", state(each.public_state)))) : "none",
		next && h("p.faint", `The first ${CHILDREN}.`));
	}));

	/* A table; of many rows the last ones are shown, and all of them on demand. */
	function folded(name, columns, all, row) {
		const isLong = all.length > FEW && !shown.has(name);
		return h("div", { key: name }, table({ label: name, columns, rows: (isLong ? all.slice(-FEW) : all).map(row) }),
			isLong && h("p", button(`Show all ${num(all.length)}`, () => {
				shown.add(name);
				paint();
			})));
	}

	const attemptsOf = (attempts) => folded("attempts", ["Attempt", "Ended as", "Started", "Took #", "Worker", "Failure"], attempts, (each) => ({
		key: each.attempt_index,
		cells: [
			num(each.attempt_index + 1),
			each.outcome ? state(OUTCOMES[each.outcome] || each.outcome, each.outcome === "success" ? "completed" : words(each.outcome)) : each.worker_instance_id ? state("active") : state("waiting", "not running"),
			time(each.started_at_ms),
			each.started_at_ms && each.terminal_at_ms ? duration(each.terminal_at_ms - each.started_at_ms) : "–",
			cut(each.worker_instance_id || each.worker_id || "–", 80),
			each.failure && h("details", h("summary", cut(`${each.failure.code}: ${each.failure.message}`, 160)), failure(each.failure)),
		] }));

	const stepsOf = (steps) => folded("steps", ["Step", "Stored", "By", "Result"], steps, (step) => ({
		key: step.name,
		cells: [
			[cut(step.name, 120), step.is_wait && h("span.faint", " (a wait)")],
			time(step.recorded_at_ms),
			`${step.recorded_at_ms < found.attempts[0]?.started_at_ms ? "before the replay, " : ""}attempt ${num(step.attempt_index + 1)}${step.tries > 1 ? `, ${num(step.tries)} tries` : ""}`,
			h("div", { keep: true, key: "result" }, step.is_wait ? "–" : data(step.result)),
		] }));

	const eventsOf = (events) => folded("events", ["When", "What", "Details"], events, (event) => ({
		key: event.event_id,
		cells: [
			instant(event.occurred_at_ms),
			words(event.event_type),
			h("span.faint", longText(detailsOf(event), 300)),
		] }));

	function waits(x, questions) {
		if (!x.waits.length) return null;
		return [h("h2", "What it waits for"), h("ul.plain", x.waits.map((wait) => {
			const asked = questions.filter((each) => each.wait === wait.name);
			if (asked.length) return asked.map((each) => questionCard(each, refresh));
			return h("li.card", { key: wait.name },
				h("strong", cut(wait.name, 120)), " since ", time(wait.since_ms), wait.timeout_at_ms ? [", ends ", time(wait.timeout_at_ms)] : ", without end",
				wait.keys.map((key) => h("p", { key }, "signal ", h("code", cut(key, 120)), " ",
					may("approve") && !key.includes(":children") && button("Send it…", () => signal(key)))));
		}))];
	}

	function verbs(x, steps) {
		const isOver = x.terminal_at_ms !== null;
		const mayCancel = may("steer") || session.who?.role === "submitter";
		const isHeld = x.blocking_reason === "paused_by_operator";
		const isWaiting = x.lifecycle_phase === "runnable";
		return [
			!isOver && mayCancel && button("Cancel…", () => cancel(x)),
			may("steer") && [
				isOver && button("Replay…", () => replay(x, steps)),
				x.ownership_state === "leased" && button("Revoke…", () => simple("revoke", "Take it away from its worker?", "It loses its lease and goes back to the queue. The code is asked to stop.", REASON)),
				!isOver && !isHeld && button("Hold…", () => simple("hold", "Hold it?", "It is not claimed until the hold ends.", REASON)),
				isHeld && button("Unhold", () => simple("unhold", "Let it go?", "It can be claimed again.")),
				(isWaiting || x.public_state === "suspended") && button("Priority…", () => priority(x)),
				x.public_state === "suspended" && button("Resume…", () => resume(x)),
			],
		];
	}

	async function act(verb, asked) {
		if (await ask({ command: (values) => command(verb, id, values), ...asked })) await refresh();
	}

	const simple = (verb, title, what, ...fields) => act(verb, {
		title, what, fields, confirm: verb[0].toUpperCase() + verb.slice(1),
		run: async (values) => (await post(at(`/${verb}`), values), `Done: ${verb}.`),
	});

	const cancel = (x) => act("cancel", {
		title: `Cancel ${cut(x.kind, 60)}?`,
		what: `1 execution ends for good${x.ownership_state === "leased" ? ", and the worker that runs it is asked to stop" : ""}.`,
		fields: [REASON],
		confirm: "Cancel it",
		isDanger: true,
		run: async ({ reason }) => `It is ${words((await post(at("/cancel"), { reason: reason || "by an operator" })).public_state)}.`,
	});

	const replay = (x, steps) => act("replay", {
		title: `Replay ${cut(x.kind, 60)}?`,
		what: async () => {
			const flow = x.flow_id && await page.get(path`/v1/flows/${x.flow_id}/layout`);
			const left = flow ? flow.nodes.filter((node) => node.cause?.execution_id === id).reduce((sum, node) => sum + node.states.skipped, 0) : 0;
			return [
				x.public_state === "completed"
					? h("p.warn", `It has completed. A replay does all of it again, from the start${steps.length ? `: ${counted(steps.length, "stored step")} ${steps.length === 1 ? "is" : "are"} cleared, unless you keep them` : ""}.`)
					: h("p", `It comes back to life under the same id. ${counted(steps.length, "stored step")} can be kept.`),
				left ? h("p.warn", `${counted(left, "member")} of its flow ${left === 1 ? "was" : "were"} skipped because of it. To bring back all of it, `,
					h("a", { href: link`/flows/${x.flow_id}` }, "replay the flow"), " instead.") : null,
			];
		},
		fields: [{ name: "steps", label: "Stored steps", value: "", options: [
			["", x.public_state === "completed" ? "Do everything again (usual after it has completed)" : "Keep them (usual)"],
			["keep", "Keep them"], ["clear", "Do everything again"],
			...steps.map((step) => [`from:${step.name}`, `From step ${cut(step.name, 80)} on`])] }],
		command: ({ steps: chosen }) => command("replay", id, { "from-scratch": chosen === "clear", "from-step": chosen.startsWith("from:") ? chosen.slice(5) : "" }),
		confirm: "Replay",
		run: async ({ steps: chosen }) => {
			const from = chosen.startsWith("from:") ? chosen.slice(5) : null;
			const answer = await post(at("/replay"), { steps: from ? null : chosen || null, from_step: from });
			return `It is ${words(answer.public_state)}.`;
		},
	});

	const priority = (x) => act("priority", {
		title: "Change its priority?",
		what: `It is ${num(x.priority)} now. The highest goes first.`,
		fields: [{ name: "priority", label: "Priority, 0 to 9000", type: "number", value: String(x.priority), required: true }],
		command: (values) => command("priority", values.priority || "0", id),
		confirm: "Change it",
		run: async (values) => `Its priority is ${num((await post(at("/priority"), { priority: Number(values.priority) })).new_priority)}.`,
	});

	const VALUE = { name: "data", label: "The value to send, as JSON (optional)", rows: 4, max: 60000 };

	const signal = (key) => act("signal", {
		title: `Send the signal ${cut(key, 60)}?`,
		what: "The wait that it satisfies is over, and the execution goes on.",
		fields: [VALUE, { name: "name", label: "Name of the signal (optional)" }],
		command: (values) => command("signal", id, key, values),
		confirm: "Send it",
		run: async (values) => {
			const answer = await post(at("/signal"), { key, name: values.name, ...payload(values.data) });
			return `The signal was sent: ${words(answer.effect || "it was there already")}.`;
		},
	});

	const resume = (x) => act("resume", {
		title: "Resume it without an answer?",
		what: `${counted(x.waits.length, "open wait")} ended by you: ${cut(x.waits.map((wait) => wait.name).join(", "), 200)}. Each gets the value below, if there is one.`,
		fields: [VALUE, REASON],
		confirm: "Resume",
		run: async (values) => {
			await post(at("/resume"), { ...payload(values.data), reason: values.reason });
			return "It goes on.";
		},
	});

	await read();
	paint();
	showValue("payload");
	showValue("result");
	if (!page.isOver) document.getElementById("output").replaceChildren(follow(page, id));
	page.live({ execution_id: id }, refresh, EACH_MS);
	// Delays pass, and leases run, without an event.
	page.every(10000, async () => found.x.terminal_at_ms === null && refresh());
}

const OUTCOMES = { success: "completed", retry: "failed", interrupted: "warning", released: "waiting" };

function payload(text) {
	if (!text.trim()) return {};
	try {
		return { payload: { json: JSON.parse(text) } };
	} catch {
		throw new Error("The value is not JSON. Texts need quotes: \"yes\".");
	}
}
