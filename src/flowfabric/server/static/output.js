import { onStranger, path, prefix } from "./api.js";
import { counted, num } from "./format.js";
import { fill, h } from "./h.js";

const FRAMES = 5000; // how many frames are kept
const CHARS = 400000; // how much text is kept

/* follow(page, id) shows the stream in a node of its own, and follows it until the page is left. */
export function follow(page, id) {
	const text = h("pre.output", { tabindex: 0, role: "log", "aria-label": "What it says", "aria-live": "off" });
	const says = h("p.faint", "Nothing has been said yet.");
	const box = h("input", { type: "checkbox", checked: true, onchange: () => toEnd() });
	const node = h("div", h("label.inline", box, " Follow"), says, text);
	let frames = [];
	let chars = 0;
	let left = 0; // how many frames are not shown any more
	let fresh = [];
	let mustRedraw = false;
	let isQueued = false;

	const toEnd = () => {
		if (box.checked) text.scrollTop = text.scrollHeight;
	};
	text.addEventListener("scroll", () => {
		// Who scrolls up wants to read, and who is at the end again wants to follow.
		box.checked = text.scrollHeight - text.scrollTop - text.clientHeight < 30;
	});

	function add(frame) {
		if (frame.kind === "restart") {
			frames = counting(frames, frame);
			chars = frames.reduce((sum, each) => sum + each.text.length, 0);
			fresh = [];
			mustRedraw = true;
		} else {
			const made = { ...frame, text: textOf(frame) };
			frames.push(made);
			fresh.push(made);
			chars += made.text.length;
			while (frames.length > FRAMES || (chars > CHARS && frames.length > 1)) {
				chars -= frames.shift().text.length;
				left += 1;
				mustRedraw = true;
			}
		}
		if (isQueued) return;
		isQueued = true;
		setTimeout(draw, 100);
	}

	function draw() {
		isQueued = false;
		if (mustRedraw) text.replaceChildren(...frames.map(span));
		else text.append(...fresh.map(span));
		mustRedraw = false;
		fresh = [];
		toEnd();
		tell();
	}

	const tell = (end = "") =>
		fill(says, frames.length ? counted(frames.length, "frame") : end ? "Nothing was said" : "Nothing has been said yet",
			left ? `; ${num(left)} before them are not shown: ff logs ${id}` : "", end || ".");

	const source = new EventSource(`${prefix}${path`/v1/executions/${id}/stream`}`);
	source.onmessage = (message) => add(JSON.parse(message.data));
	source.addEventListener("end", (message) => {
		source.close();
		const { closed_reason: reason, code } = JSON.parse(message.data);
		if (code === "unauthenticated") onStranger.act();
		setTimeout(() => tell(reason ? `. It has ended: ${reason}.` : ". The server has closed the stream."), 150);
	});
	page.leave(() => source.close());
	return node;
}

const span = (frame) => h("span", { class: frame.kind === "stderr" ? "bad" : "" }, frame.text);

/* The frames that still count after a restart: the same rule as `Transcript` in Python. */
function counting(frames, restart) {
	const { kept = [], tries = {} } = JSON.parse(decoded(restart.payload));
	const counts = new Set(kept.map((each) => JSON.stringify([each.step, each.lease_epoch, each.try])));
	return frames.filter((each) =>
		each.lease_epoch < restart.lease_epoch
			? counts.has(JSON.stringify([each.step, each.lease_epoch, each.step_try]))
			: each.step === null || each.step_try >= (tries[each.step] ?? 1));
}

function textOf({ kind, payload }) {
	if (kind === "blob") return `[${counted(Math.floor((payload.base64.length * 3) / 4), "byte")}]\n`;
	const text = decoded(payload);
	return kind === "json" || kind === "log" ? `${text}\n` : text;
}

function decoded(payload) {
	if ("json" in payload) return JSON.stringify(payload.json);
	return new TextDecoder().decode(Uint8Array.from(atob(payload.base64), (char) => char.charCodeAt(0)));
}
