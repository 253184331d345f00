import { cut, duration, num, shapeOf, toneOf, words } from "./format.js";
import { s } from "./h.js";

const MANY = 500; // from this number of nodes on, only what is seen is drawn
const FAR = 0.3; // with many nodes, and smaller than this, each state is one shape
const MARGIN = 200; // how far around what is seen nodes are drawn, in pixels
const CHAR = 5.7; // how wide a character of the second line is, about
const CLICK = 5; // a pointer that has moved further has dragged

function about(node) {
	const states = Object.entries(node.states).map(([state, count]) => `${num(count)} ${words(state)}`).join(", ");
	const kind = node.count > 1 || node.label === node.kind ? "" : ` (${node.kind})`;
	return [
		`${node.label}${kind}: ${node.count > 1 ? states : words(node.state)}`,
		node.join && `waits for ${node.join.label}, ${num(node.join.completed)} completed`,
		node.on_critical_path && "on the critical path",
		node.failure,
		node.cause && because(node),
	].filter(Boolean).join("; ");
}

export const because = ({ cause }) => `because of ${cause.name} (${cause.state === "completed" ? "completed since" : words(cause.state)})`;

export const took = (node) => (node.started_at_ms && node.ended_at_ms && !node.was_replayed ? duration(node.ended_at_ms - node.started_at_ms) : null);

export class Graph {
	#layout = null;
	#byId = new Map();
	#drawn = new Map(); // id or number of an edge → element
	#boxes = []; // of edges: [left, top, right, bottom]
	#at = { x: 0, y: 0, k: 1 };
	#pointers = new Map();
	#moved = 0;
	#isQueued = false;
	#selected = null;
	#hasMoved = false;

	constructor(open) {
		this.open = open;
		this.far = s("g.far");
		this.edges = s("g");
		this.nodes = s("g");
		this.view = s("g", this.far, this.edges, this.nodes);
		this.svg = s("svg.graph", {
			role: "group", tabindex: 0,
			"aria-label": "The graph of the flow. Arrow keys go from node to node, Enter opens one. The list shows the same.",
			onkeydown: (event) => this.#key(event),
			onwheel: (event) => this.#wheel(event),
			onpointerdown: (event) => this.#down(event),
			onpointermove: (event) => this.#move(event),
			onpointerup: (event) => this.#up(event),
			onpointercancel: (event) => this.#pointers.delete(event.pointerId),
		},
		s("defs", arrow("arrow"), arrow("arrow-critical")), this.view);
		new ResizeObserver(() => {
			if (!this.#hasMoved) this.fit();
			this.#soon();
		}).observe(this.svg);
	}

	/* Shows a layout. The view stays; without one, everything is fitted in. */
	draw(layout) {
		const isFirst = this.#layout === null;
		this.#layout = layout;
		this.#byId = new Map(layout.nodes.map((node) => [node.id, node]));
		this.#boxes = layout.edges.map((edge) => boxOf(edge.path));
		this.#drawn.clear();
		this.nodes.replaceChildren();
		this.edges.replaceChildren();
		this.far.replaceChildren();
		if (isFirst) this.fit();
		this.#cull();
	}

	update(layout) {
		this.#layout = layout;
		this.#byId = new Map(layout.nodes.map((node) => [node.id, node]));
		for (const [key, element] of this.#drawn) {
			if (typeof key === "number") element.setAttribute("class", edgeClass(layout.edges[key]));
			else this.#paint(element, this.#byId.get(key));
		}
		if (this.#isFar()) this.#drawFar();
	}

	select(id) {
		this.#selected = id;
		for (const [key, element] of this.#drawn) if (typeof key === "string") this.#paint(element, this.#byId.get(key));
	}

	fit() {
		const { clientWidth: width, clientHeight: height } = this.svg;
		if (!this.#layout || !width || !height) return;
		const k = Math.min(1.5, width / this.#layout.width, height / this.#layout.height);
		this.#at = { k, x: (width - this.#layout.width * k) / 2, y: (height - this.#layout.height * k) / 2 };
		this.#hasMoved = false;
		this.#place();
	}

	zoom(by, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
		const k = Math.min(3, Math.max(0.005, this.#at.k * by));
		const by2 = k / this.#at.k;
		this.#at = { k, x: x - (x - this.#at.x) * by2, y: y - (y - this.#at.y) * by2 };
		this.#hasMoved = true;
		this.#place();
	}

	pan(dx, dy) {
		this.#at.x += dx;
		this.#at.y += dy;
		this.#hasMoved = true;
		this.#place();
	}

	/* Brings a node into view, large enough to be read. */
	reveal(id, focus = false) {
		const node = this.#byId.get(id);
		if (!node) return;
		const k = Math.max(this.#at.k, 0.75);
		const { clientWidth: width, clientHeight: height } = this.svg;
		const left = node.x * k + this.#at.x;
		const top = node.y * k + this.#at.y;
		const isSeen = k === this.#at.k && left > 0 && top > 0 && left + node.width * k < width && top + node.height * k < height;
		if (!isSeen) {
			this.#at = { k, x: width / 2 - (node.x + node.width / 2) * k, y: height / 2 - (node.y + node.height / 2) * k };
			this.#hasMoved = true;
			this.#place();
		}
		this.#cull();
		if (focus) this.#drawn.get(id)?.focus({ preventScroll: true });
	}

	get hasMoved() {
		return this.#hasMoved;
	}

	/* Where the view is, so that another graph of the same flow can begin there. */
	get place() {
		return { ...this.#at };
	}

	set place(at) {
		this.#at = { ...at };
		this.#hasMoved = true;
		this.#place();
	}

	#place() {
		const { x, y, k } = this.#at;
		this.view.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${k.toFixed(5)})`);
		this.#soon();
	}

	#wheel(event) {
		event.preventDefault();
		const box = this.svg.getBoundingClientRect();
		if (event.shiftKey) this.pan(-event.deltaY, 0);
		else this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
	}

	#down(event) {
		if (event.button) return;
		this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
		if (this.#pointers.size === 1) this.#moved = 0;
	}

	#move(event) {
		const before = this.#pointers.get(event.pointerId);
		if (!before) return;
		const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
		this.#moved += Math.abs(dx) + Math.abs(dy);
		if (this.#moved <= CLICK) return;
		// Only what is dragged is captured: a click must reach its node.
		if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
		const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
		if (other) {
			const box = this.svg.getBoundingClientRect();
			const apart = Math.hypot(before.x - other.x, before.y - other.y);
			const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
			if (apart > 1) this.zoom(now / apart, other.x - box.left, other.y - box.top);
		} else this.pan(dx, dy);
		this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
	}

	#up(event) {
		if (!this.#pointers.delete(event.pointerId) || this.#moved > CLICK) return;
		const id = event.target.closest?.("[data-id]")?.dataset.id;
		const node = this.#byId.get(id) || this.#nodeAt(event);
		if (node) this.open(node);
	}

	#nodeAt(event) {
		const box = this.svg.getBoundingClientRect();
		const x = (event.clientX - box.left - this.#at.x) / this.#at.k;
		const y = (event.clientY - box.top - this.#at.y) / this.#at.k;
		return this.#layout.nodes.find((n) => x >= n.x && x <= n.x + n.width && y >= n.y && y <= n.y + n.height);
	}

	#key(event) {
		const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		if (step && event.shiftKey) this.pan(-step[0] * 60, -step[1] * 60);
		else if (step) this.#stepTo(event.target.dataset.id, step);
		else if ((event.key === "Enter" || event.key === " ") && event.target.dataset.id) this.open(this.#byId.get(event.target.dataset.id));
		else return;
		event.preventDefault();
	}

	#stepTo(id, [dx, dy]) {
		const from = this.#byId.get(id);
		if (!from) {
			if (this.#layout.nodes.length) this.reveal(this.#selected || this.#layout.nodes[0].id, true);
			return;
		}
		let best = null;
		let nearest = Infinity;
		for (const node of this.#layout.nodes) {
			const ahead = (node.x - from.x) * dx + (node.y - from.y) * dy;
			const aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
			if (ahead > 1 && ahead + 2 * aside < nearest) [best, nearest] = [node, ahead + 2 * aside];
		}
		if (best) this.reveal(best.id, true);
	}

	#soon() {
		if (this.#isQueued || !this.#layout) return;
		this.#isQueued = true;
		requestAnimationFrame(() => {
			this.#isQueued = false;
			this.#cull();
		});
	}

	#isFar() {
		return this.#layout.nodes.length > MANY && this.#at.k < FAR;
	}

	/* Draws what is seen, and forgets the rest, if there are many nodes. */
	#cull() {
		if (!this.#layout) return;
		const { nodes, edges } = this.#layout;
		const isFar = this.#isFar();
		if (isFar !== this.far.hasChildNodes()) isFar ? this.#drawFar() : this.far.replaceChildren();
		const all = nodes.length <= MANY;
		const { x, y, k } = this.#at;
		const [left, top] = [(-x - MARGIN) / k, (-y - MARGIN) / k];
		const [right, bottom] = [(this.svg.clientWidth - x + MARGIN) / k, (this.svg.clientHeight - y + MARGIN) / k];
		const wanted = (l, t, r, b) => all || (!isFar && r >= left && l <= right && b >= top && t <= bottom);
		for (const node of nodes) {
			this.#keep(node.id, wanted(node.x, node.y, node.x + node.width, node.y + node.height), this.nodes, () => this.#make(node));
		}
		edges.forEach((edge, number) => {
			this.#keep(number, wanted(...this.#boxes[number]), this.edges, () =>
				s("path", { class: edgeClass(edge), d: edge.path }));
		});
	}

	#keep(key, isWanted, parent, make) {
		const there = this.#drawn.get(key);
		if (isWanted && !there) {
			const made = make();
			this.#drawn.set(key, made);
			parent.append(made);
		} else if (!isWanted && there && there !== document.activeElement) {
			this.#drawn.delete(key);
			there.remove();
		}
	}

	#drawFar() {
		const shapes = new Map();
		for (const { x, y, width, height, state } of this.#layout.nodes) {
			const tone = toneOf(state);
			shapes.set(tone, `${shapes.get(tone) || ""}M${x} ${y}h${width}v${height}h${-width}z`);
		}
		this.far.replaceChildren(
			s("path.edge", { d: this.#layout.edges.map((edge) => edge.path).join("") }),
			...[...shapes].map(([tone, d]) => s("path.mass", { class: tone, d })));
	}

	#make(node) {
		const group = node.count > 1;
		const box = { width: node.width, height: node.height, rx: 7 };
		const element = s("g", { transform: `translate(${node.x} ${node.y})`, tabindex: -1, role: "button", "data-id": node.id },
			s("title"),
			node.join && joinMark(node.join, node.height),
			group && s("rect.box", { ...box, x: 4, y: 4 }),
			s("rect.box", box),
			s("path.sign", { transform: "translate(10 6)" }),
			s("text", { x: 34, y: 18 }, node.label),
			group ? s("g.shares") : s("text.second", { x: 34, y: 34 }));
		this.#paint(element, node);
		return element;
	}

	#paint(element, node) {
		const isSelected = node.id === this.#selected;
		const classes = ["node", toneOf(node.state), node.state, node.on_critical_path && "critical", isSelected && "selected"];
		element.setAttribute("class", classes.filter(Boolean).join(" "));
		element.setAttribute("aria-label", about(node));
		element.querySelector("title").textContent = about(node);
		element.querySelector(".sign").setAttribute("d", shapeOf(node.state));
		const second = element.querySelector(".second");
		if (second) {
			const chars = Math.floor((node.width - 40) / CHAR);
			second.textContent = cut(node.failure || [words(node.state) + (node.cause ? `: ${node.cause.name}` : ""), took(node)].filter(Boolean).join(" · "), chars);
		} else {
			let x = 10;
			element.querySelector(".shares").replaceChildren(...Object.entries(node.states).map(([state, count]) => {
				const width = ((node.width - 20) * count) / node.count;
				x += width;
				return s("rect", { class: `share ${toneOf(state)}`, x: x - width, y: 28, width, height: 8 });
			}));
		}
	}
}

const edgeClass = (edge) => `edge ${edge.state}${edge.on_critical_path ? " critical" : ""}`;

const arrow = (id) =>
	s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" },
		s("path", { d: "M0 .5l7.5 3.5l-7.5 3.5z" }));

/* A box for all, a round one for any, a hexagon for a number of them. */
function joinMark({ rule, label }, height) {
	const width = 16 + 6.4 * label.length;
	const [left, middle] = [-width - 6, height / 2];
	const shape = rule === "quorum"
		? s("path", { d: `M${left} ${middle}l7 -10H-13l7 10l-7 10H${left + 7}z` })
		: s("rect", { x: left, y: middle - 10, width, height: 20, rx: rule === "any" ? 10 : 2 });
	return s("g.join", s("path", { d: `M-6 ${middle}H0` }), shape, s("text", { x: left + width / 2, y: middle + 4 }, label));
}

function boxOf(path) {
	const box = [Infinity, Infinity, -Infinity, -Infinity];
	let y = 0;
	for (const [, letter, text] of path.matchAll(/([MHC])([-\d. ]+)/g)) {
		const numbers = text.split(" ").map(Number);
		if (letter !== "H") y = numbers.at(-1);
		const x = letter === "H" ? numbers[0] : numbers.at(-2);
		box[0] = Math.min(box[0], x);
		box[1] = Math.min(box[1], y);
		box[2] = Math.max(box[2], x);
		box[3] = Math.max(box[3], y);
	}
	return box;
}
