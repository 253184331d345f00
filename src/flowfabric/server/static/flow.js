import { may, path, post, session } from "./api.js";
import { button, counted, cut, duration, facts, idOf, num, state, time, toneOf, words } from "./format.js";
import { because, Graph, took } from "./graph.js";
import { h } from "./h.js";
import { changed, link, toExecution, toList } from "./router.js";
import { table } from "./ui.js";
import { explained } from "./values.js";
import { ask, command, REASON } from "./verbs.js";

const places = new Map(); // where the view of each flow was, while one opens and closes its groups
const EACH_MS = 1500; // while much happens, the flow is read once in this time
const CAUSES = 3; // so many are named above the graph
const HOLDING = ["suspended", "rate_limited", "waiting", "delayed"]; // what may hold a flow up
const AT_ONCE = 100; // a group with more members opens by a button
let revealed = null; // the kind of the group that was opened: a member of it comes into view
const narrow = matchMedia("(max-width: 40rem)");

export async function show(page) {
	const { id } = page.args;
	const expand = (page.query.get("expand") || "").split(",").filter(Boolean);
	const shown = page.query.get("view") || (narrow.matches ? "list" : "graph");
	let chosen = page.query.get("node");
	let details = null;
	let layout = null;
	let held = null; // the member that holds the flow up, and why
	page.title("Flow");

	const open = (node) => (node.count > 1 && node.count <= AT_ONCE ? opened(node) : choose(node.id));
	const graph = shown === "graph" ? new Graph(open) : null;

	/* Which node is chosen is in the address, too, but the page need not be read again for it. */
	async function choose(nodeId) {
		chosen = nodeId;
		history.replaceState(history.state, "", changed({ node: nodeId }));
		graph?.select(nodeId);
		details = null;
		paint();
		await look();
	}

	async function look() {
		const node = layout.nodes.find((each) => each.id === chosen);
		if (!node || node.count > 1) return;
		const [x, why] = await Promise.all([
			page.get(path`/v1/executions/${node.id}`),
			explain(node),
		]);
		if (chosen !== node.id) return;
		details = { x, why };
		paint();
	}

	async function read() {
		layout = await page.get(path`/v1/flows/${id}/layout`, { expand });
		page.title(layout.kind);
	}

	const refresh = page.inTurn(async () => {
		const before = layout;
		await read();
		const isSame = before.revision === layout.revision && before.nodes.length === layout.nodes.length;
		if (isSame) graph?.update(layout);
		else graph?.draw(layout);
		paint();
		await hold();
		if (chosen && details) await look();
	});

	const explain = (node) => page.get(path`/v1/executions/${node.id}/explain`);

	async function hold() {
		const { nodes, progress } = layout;
		const node = !progress.states.active && HOLDING.map((name) => nodes.find((each) => each.count === 1 && each.state === name)).find(Boolean);
		if (!node && !held) return;
		held = node ? { node, why: await explain(node) } : null;
		paint();
	}

	function paint() {
		const node = layout.nodes.find((each) => each.id === chosen);
		page.paint(
			h("h1", layout.kind, " ", state(layout.state)),
			h("p.line", idOf(id, null, true), " created ", time(layout.created_at_ms),
				layout.terminal_at_ms && [", ended ", duration(layout.terminal_at_ms - layout.created_at_ms), " later"],
				layout.created_by && ` by ${cut(layout.created_by)}`),
			layout.cancel_reason !== null && h("p", `Cancelled (${words(layout.cancellation_policy || "")}): ${cut(layout.cancel_reason) || "no reason given"}`),
			layout.unacknowledged > 0 && h("p.warn", `${counted(layout.unacknowledged, "member")} not stopped yet: a worker has to acknowledge the cancel.`),
			progress(layout.progress, id),
			held && h("p.explain", toExecution(held.node.id, held.node.label), " holds it up. ", explained(held.why, held.node.id, id)),
			causes(),
			h("div.tools", verbs(),
				h("span.gap"),
				shown === "graph" && [
					button("−", () => graph.zoom(1 / 1.3), { "aria-label": "Smaller", title: "Smaller (-)" }),
					button("+", () => graph.zoom(1.3), { "aria-label": "Larger", title: "Larger (+)" }),
					button("Fit", () => graph.fit(), { title: "Show everything (f)" }),
				],
				expand.length > 0 && button("Close groups", () => page.filter({ expand: null })),
				button(shown === "graph" ? "As a list" : "As a graph", () => page.filter({ view: shown === "graph" ? "list" : "graph" }))),
			layout.nodes.length === 0
				? h("p.empty", "The flow has no members yet.")
				: h("div.split", { key: shown, class: node ? "with-panel" : "" },
					shown === "graph" ? h("div.canvas", { key: "canvas", keep: true }) : list(),
					node && panel(node)));
		if (graph) {
			const canvas = document.querySelector(".canvas");
			if (canvas && canvas.firstChild !== graph.svg) canvas.replaceChildren(graph.svg);
		}
	}

	/* Why members were skipped, each cause once, and what brings them back. */
	function causes() {
		const found = new Map();
		for (const node of layout.nodes) {
			if (!node.cause) continue;
			const one = found.get(node.cause.execution_id) || { node, count: 0 };
			one.count += node.states.skipped;
			found.set(node.cause.execution_id, one);
		}
		return [...found.values()].slice(0, CAUSES).map(({ node, count }) => h("p", { key: node.id },
			`${counted(count, "member")} skipped `, causeOf(node), ". ",
			node.cause.state === "completed" ? `“Replay…” brings ${count === 1 ? "it" : "them"} back.` : ""));
	}

	const causeOf = (node) => toExecution(node.cause.execution_id, because(node));

	function opened(node) {
		revealed = node.kind;
		return page.filter({ expand: [...expand, node.id].slice(-50).join(","), node: null });
	}

	function verbs() {
		return [
			layout.terminal_at_ms === null && (may("steer") || session.who?.role === "submitter") && button("Cancel…", cancel),
			may("steer") && button("Replay…", () => replay()),
		];
	}

	const cancel = () => ask({
		title: `Cancel the flow ${cut(layout.kind, 60)}?`,
		what: h("p", `${counted(layout.progress.total - layout.progress.ended, "member")} of ${num(layout.progress.total)} have not ended.`),
		fields: [
			{ name: "policy", label: "What becomes of them", value: "cancel_all", options: [
				["cancel_all", "All are cancelled"], ["cancel_pending", "Those that run may finish"], ["flow_only", "They go on; only the flow is closed"]] },
			REASON,
		],
		command: (values) => command("flow cancel", id, { policy: values.policy === "cancel_all" ? "" : values.policy, reason: values.reason }),
		confirm: "Cancel the flow",
		isDanger: true,
		run: async ({ policy, reason }) => {
			const answer = await post(path`/v1/flows/${id}/cancel`, { policy, reason: reason || "by an operator" });
			await refresh();
			return `The flow is cancelled, and ${counted(answer?.member_execution_ids?.length ?? 0, "member")} with it.`;
		},
	});

	const replay = (from = null) => {
		const whatOf = (values) => (from ? [from.id] : values.what);
		return ask({
			title: from ? `Replay from ${cut(from.label, 60)}?` : `Replay the flow ${cut(layout.kind, 60)}?`,
			what: async () => {
				const [lost, all] = await Promise.all((from ? [[from.id]] : ["failed", "all"]).map((what) =>
					post(path`/v1/flows/${id}/replay`, { what, dry_run: true }).then((answer) => counted(answer.execution_ids.length, "member"), (error) => error.message)));
				return h("p", from ? `This member and everything downstream: ${lost}.` : `Failed ones and those skipped because of them: ${lost}. All: ${all}.`);
			},
			fields: [
				!from && { name: "what", label: "Which members", value: "failed", options: [["failed", "Those that did not complete"], ["all", "All, from scratch"]] },
				{ name: "steps", label: "Stored steps", value: "", options: [["", "As it ended: the usual"], ["keep", "Keep them"], ["clear", "Do everything again"]] },
			].filter(Boolean),
			command: (values) => command("flow replay", id, { from: from?.id, all: values.what === "all", steps: values.steps }),
			confirm: "Replay",
			run: async (values) => {
				const answer = await post(path`/v1/flows/${id}/replay`, { what: whatOf(values), steps: values.steps || null });
				await refresh();
				return `${counted(answer.execution_ids.length, "member")} replayed.`;
			},
		});
	};

	function panel(node) {
		return h("aside.panel", { key: node.id, "aria-label": "The chosen node" },
			h("button.close", { type: "button", "aria-label": "Close", title: "Close (Escape)", onclick: () => choose(null) }, "×"),
			h("h2", node.label),
			node.count > 1 ? groupPanel(node) : memberPanel(node));
	}

	function groupPanel(node) {
		return [
			h("p", `${counted(node.count, "member")} of the kind ${cut(node.kind, 80)}, with the same upstreams and downstreams.`),
			h("ul.plain", Object.entries(node.states).map(([name, count]) => h("li", { key: name },
				toList({ flow: id, kind: node.kind, state: name }, state(name, `${num(count)} ${words(name)}`))))),
			node.failure && h("pre.failure", cut(node.failure, 600)),
			node.cause && h("p", causeOf(node)),
			joined(node),
			h("p", button("Show them one by one", () => opened(node), { class: "main" })),
		];
	}

	function memberPanel(node) {
		const { x, why } = details?.x.execution_id === node.id ? details : {};
		return [
			h("p", state(node.state), took(node) ? ` in ${took(node)}` : null),
			h("p", why ? explained(why, node.id, id) : "…"),
			x?.failure && h("pre.failure", cut(`${x.failure.code}: ${x.failure.message}`, 600)),
			joined(node),
			x && facts({ kind: cut(x.kind), lane: cut(x.lane), started: time(x.started_at_ms), ended: time(x.terminal_at_ms),
				attempt: x.started_at_ms === null ? "–" : num(x.attempt_index + 1), id: idOf(x.execution_id) }),
			h("p.tools", h("a.button.main", { href: link`/executions/${node.id}` }, "Open the execution"),
				may("steer") && x && x.terminal_at_ms !== null && button("Replay from here…", () => replay(node))),
		];
	}

	const joined = (node) => node.join && h("p", `It waits for ${node.join.label}: ${counted(node.join.completed, "upstream")} completed.`);

	function list() {
		const sorted = [...layout.nodes].sort((a, b) => a.x - b.x || a.y - b.y);
		return h("div", { key: "list" }, table({
			label: "The nodes of the flow",
			columns: ["Node", "State", "Waits for", "Critical path #", "Took #", "Why ~"],
			rows: sorted.map((node) => ({ key: node.id, cells: [
				node.count > 1 ? [node.label, " ", button("Show them", () => opened(node))] : toExecution(node.id, node.label),
				Object.entries(node.states).map(([name, count]) => [state(name, node.count > 1 ? `${num(count)} ${words(name)}` : words(name)), " "]),
				node.join?.label,
				node.on_critical_path ? "yes" : null,
				took(node),
				node.cause ? causeOf(node) : node.failure && cut(node.failure, 160),
			] })),
		}));
	}

	await read();
	paint();
	if (graph) {
		graph.draw(layout);
		if (places.has(id)) graph.place = places.get(id);
		const ofKind = layout.nodes.filter((node) => node.kind === revealed);
		const first = ofKind.find((node) => node.state === "failed") || ofKind[0];
		if (first) graph.reveal(first.id);
		revealed = null;
		if (chosen) {
			graph.select(chosen);
			graph.reveal(chosen);
		}
		page.leave(() => {
			places.delete(id);
			if (graph.hasMoved) places.set(id, graph.place);
		});
	}
	page.keys({
		f: ["Show the whole graph", () => graph?.fit()],
		"+": ["Larger", () => graph?.zoom(1.3)],
		"-": ["Smaller", () => graph?.zoom(1 / 1.3)],
		l: ["Graph or list", () => page.filter({ view: shown === "graph" ? "list" : "graph" })],
		Escape: ["Close what is beside the graph", () => choose(null)],
	});
	page.live({ flow_id: id }, refresh, EACH_MS);
	// A new member writes no event.
	page.every(15000, async () => layout.terminal_at_ms === null && refresh());
	await hold();
	if (chosen) await look();
}

function progress({ total, ended, states }, flow) {
	const parts = Object.entries(states);
	return [
		h("p", `${num(ended)} of ${counted(total, "member")} ended`, parts.length ? ": " : "",
			parts.map(([name, count], index) => [index ? ", " : "", toList({ flow, state: name }, state(name, `${num(count)} ${words(name)}`))])),
		h("div.shares", { "aria-hidden": "true" },
			parts.map(([name, count]) => h("span.moves", { key: name, class: toneOf(name), css: { width: `${(100 * count) / total}%` } }))),
	];
}
