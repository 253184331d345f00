import { duration, exact, nowMs, words } from "./format.js";
import { h, s } from "./h.js";

const QUEUED = "waits for a worker";
const ROWS = 80; // more rows are left out in the middle

/* The parts of a life, in order: [{from, to, kind, text, steps}]. kind is queue, run, backoff, wait or hold. */
function parts(x, events, steps) {
	const found = [];
	let now = null;
	let life = "";
	let ended = "";
	const begin = (kind, at, text, tone) => {
		end(at);
		now = { kind, from: at, to: null, text, tone };
		found.push(now);
	};
	const end = (at) => {
		if (now) now.to = at;
		now = null;
	};
	begin("queue", x.created_at_ms, x.flow_id ? "waits for its upstreams and for a worker" : QUEUED);
	for (const { event_type: type, channel, details, occurred_at_ms: at } of events) {
		if (type === "acquired") begin("run", at, `attempt ${details.attempt_index + 1}${life}${details.claim_type === "resume" ? ", going on," : ""}`, "run");
		else if (type === "retry_scheduled") {
			if (now) Object.assign(now, { tone: "bad", text: `${now.text} failed: ${details.code}` });
			begin("backoff", at, "waits before the next try");
			const until = details.delay_until_ms;
			if (until > at) begin("queue", until, QUEUED);
		} else if (type === "suspended") begin("wait", at, `waits in ${(details.names || []).join(", ")}`, "hold");
		else if (type === "resumed" && now?.kind === "wait") begin("queue", at, "can go on, waits for a worker");
		else if (type === "released" || type === "revoked" || (type === "expired" && channel === "lease")) {
			if (now?.kind === "run") Object.assign(now, { tone: "warn", text: `${now.text} ${type === "expired" ? "lost its lease" : type}` });
			begin("queue", at, QUEUED);
		} else if (type === "held" && now?.kind === "queue") begin("hold", at, "is held by an operator", "hold");
		else if (type === "unheld" && now?.kind === "hold") begin("queue", at, QUEUED);
		else if (type === "replayed") {
			life = " after the replay";
			if (found.length) begin("over", found.at(-1).to, `had ${ended || "ended"}, until it was replayed`, "off");
			begin("queue", at, QUEUED);
		}
		else if (channel === "completion") {
			if (now?.kind === "run") Object.assign(now, { tone: type === "completed" ? "good" : "bad", text: `${now.text} ${words(type)}` });
			end(at);
			ended = words(type);
		}
	}
	end(x.terminal_at_ms ?? nowMs());
	const lived = found.filter((part) => part.to > part.from || part.kind === "run");
	// A retry may have been claimed before its delay was over, and a clock may have moved.
	for (const part of lived) part.to = Math.max(part.from, part.to);
	let before = 0;
	for (const step of [...steps].sort((a, b) => a.recorded_at_ms - b.recorded_at_ms)) {
		const part = lived.findLast((each) => each.kind !== "queue" && each.from <= step.recorded_at_ms) || lived[0];
		if (!part) continue;
		const from = Math.min(step.recorded_at_ms, Math.max(part.from, before));
		const tries = step.tries > 1 ? ` (${step.tries} tries)` : "";
		(part.steps ??= []).push({ from, to: step.recorded_at_ms, kind: step.is_wait ? "wait" : "step", tone: step.is_wait ? "hold" : "good",
			text: `${step.is_wait ? "wait" : "step"} ${step.name}${tries}` });
		before = step.recorded_at_ms;
	}
	for (const wait of x.waits) {
		if (!found.some((part) => part.kind === "wait" && part.to >= nowMs() - 1000)) {
			lived.push({ from: wait.since_ms, to: nowMs(), kind: "wait", tone: "hold", text: `waits in ${wait.name}` });
		}
	}
	return lived;
}

export function timeline(x, events, steps) {
	const lived = parts(x, events, steps);
	if (!lived.length) return h("p.faint", "Nothing has happened yet.");
	const first = lived[0].from;
	const whole = Math.max(1, Math.max(...lived.map((part) => part.to)) - first);
	let rows = lived.flatMap((part) => [part, ...(part.steps || []).map((step) => ({ ...step, isInside: true }))]);
	let note = null;
	if (rows.length > ROWS) {
		note = `${rows.length - ROWS} rows in the middle are left out; the events have them all.`;
		rows = [...rows.slice(0, ROWS / 2), ...rows.slice(-ROWS / 2)];
	}
	return h("div.timeline",
		h("div.axis", { "aria-hidden": "true" }, h("span"),
			s("svg", [0, 25, 50, 75, 100].map((at) =>
				s("text", { x: `${at}%`, y: 11, "text-anchor": at === 0 ? "start" : at === 100 ? "end" : "middle" }, at ? duration((whole * at) / 100) : "0"))),
			h("span")),
		h("ol", rows.map((row, index) => {
			const length = row.to - row.from;
			const title = `${row.text}: from ${duration(row.from - first)} to ${duration(row.to - first)} after the creation, ${exact(row.from)}`;
			return h("li", { key: index, class: row.isInside ? "inside" : "", title },
				h("span.what", row.text),
				s("svg", { "aria-hidden": "true" },
					s("line", { x1: "0", x2: "100%", y1: 8, y2: 8 }),
					s("rect", { class: `is-${row.kind} ${row.tone || "wait"}`, x: `${((100 * (row.from - first)) / whole).toFixed(3)}%`, width: `${Math.max(0.35, (100 * length) / whole).toFixed(3)}%`,
						y: row.isInside ? 5 : 2, height: row.isInside ? 6 : 12, rx: 2 })),
				h("span.number", duration(length)));
		})),
		note && h("p.faint", note));
}
