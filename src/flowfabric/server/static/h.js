const SVG = "http://www.w3.org/2000/svg";
const STATE = Symbol("state"); // what h() knows of a node beside its attributes
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "open", "indeterminate", "hidden"]);

/* docs/internals.md says what it takes. */
export function h(name, props, ...children) {
	return build(document.createElement(tagOf(name)), name, props, children);
}

export function s(name, props, ...children) {
	return build(document.createElementNS(SVG, tagOf(name)), name, props, children);
}

const tagOf = (name) => name.split(".", 1)[0];

function build(node, name, props, children) {
	const isPlain = props === null || props === undefined || isChild(props);
	const given = isPlain ? {} : props;
	const state = { key: given.key, keep: given.keep, on: {}, props: {}, css: given.css };
	node[STATE] = state;
	const classes = name.split(".").slice(1).concat(given.class || []).join(" ");
	if (classes) node.setAttribute("class", classes);
	for (const [key, value] of Object.entries(given)) {
		if (key === "key" || key === "keep" || key === "class" || key === "css") continue;
		if (key === "style") throw new Error("use css or a class");
		if (key.startsWith("on")) {
			if (value) listen(node, key.slice(2), value);
		} else if (PROPERTIES.has(key)) {
			state.props[key] = value;
			node[key] = value;
		} else if (value !== null && value !== undefined && value !== false) {
			const text = value === true ? "" : String(value);
			if (key === "href" && /^\s*(javascript|data|vbscript):/i.test(text)) continue;
			node.setAttribute(key, text);
		}
	}
	for (const [key, value] of Object.entries(given.css || {})) node.style.setProperty(key, value);
	append(node, isPlain ? [props, ...children] : children);
	return node;
}

const isChild = (value) => typeof value !== "object" || value instanceof Node || Array.isArray(value);

function append(node, children) {
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined || child === false || child === true) continue;
		node.append(child instanceof Node ? child : String(child));
	}
}

function listen(node, type, act) {
	const { on } = node[STATE];
	if (!(type in on)) node.addEventListener(type, (event) => node[STATE].on[type]?.(event));
	on[type] = act;
}

/* Makes these the children of a node. Elements that are there already are updated in place, so that focus, selection,
 * scroll and what somebody has typed or folded stay as they are. */
export function fill(parent, ...children) {
	const wanted = document.createDocumentFragment();
	append(wanted, children);
	reconcile(parent, [...wanted.childNodes]);
}

function reconcile(parent, wanted) {
	const byKey = new Map();
	const others = [];
	for (const node of parent.childNodes) {
		const key = node[STATE]?.key;
		if (key === undefined) others.push(node);
		else byKey.set(key, node);
	}
	let next = 0;
	const placed = wanted.map((node) => {
		const key = node[STATE]?.key;
		let found;
		if (key !== undefined) {
			found = byKey.get(key);
		} else {
			const at = others.findIndex((each, index) => index >= next && isAlike(each, node));
			if (at >= 0) {
				found = others[at];
				next = at + 1;
			}
		}
		if (!found || !isAlike(found, node)) return node;
		if (key !== undefined) byKey.delete(key);
		update(found, node);
		return found;
	});
	const stay = new Set(placed);
	for (const node of [...parent.childNodes]) if (!stay.has(node)) node.remove();
	placed.forEach((node, index) => {
		const there = parent.childNodes[index];
		if (there !== node) parent.insertBefore(node, there || null);
	});
}

const isAlike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a[STATE]?.key === b[STATE]?.key;

function update(node, wanted) {
	if (node === wanted) return;
	if (node.nodeType !== Node.ELEMENT_NODE) {
		if (node.data !== wanted.data) node.data = wanted.data;
		return;
	}
	const now = node[STATE] || (node[STATE] = { on: {}, props: {} });
	const then = wanted[STATE] || { on: {}, props: {} };
	for (const { name } of [...node.attributes]) {
		// What is open or styled may have been changed by a person or by a script.
		if (name !== "style" && name !== "open" && !wanted.hasAttribute(name)) node.removeAttribute(name);
	}
	for (const { name, value } of wanted.attributes) {
		if (name !== "style" && name !== "open" && node.getAttribute(name) !== value) node.setAttribute(name, value);
	}
	for (const [key, value] of Object.entries(then.props)) {
		if (now.props[key] !== value) node[key] = value;
		now.props[key] = value;
	}
	for (const [key, value] of Object.entries(then.css || {})) node.style.setProperty(key, value);
	for (const type of Object.keys(now.on)) if (!(type in then.on)) now.on[type] = null;
	for (const [type, act] of Object.entries(then.on)) listen(node, type, act);
	if (!then.keep) reconcile(node, [...wanted.childNodes]);
}
