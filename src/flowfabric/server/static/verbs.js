import { namespaceOf, post } from "./api.js";
import { button, copyButton } from "./format.js";
import { fill, h } from "./h.js";
import { say } from "./says.js";

/* Asks in a dialog. Returns what `run` returns, or null if nobody wanted it. */
export function ask({ title, what, fields = [], command, confirm, isDanger, run }) {
	const values = Object.fromEntries(fields.map((field) => [field.name, field.value ?? ""]));
	const told = h("div.what", typeof what === "function" ? h("p.faint", "Counting…") : typeof what === "string" ? h("p", what) : what);
	const line = h("code");
	const copyPlace = h("span");
	const shell = h("p.command", line, copyPlace);
	const message = h("p", { role: "status" });
	const yes = h("button.main", { type: "submit", class: isDanger ? "danger" : "", disabled: typeof what === "function" }, confirm);
	const no = h("button", { type: "button", onclick: () => dialog.close() }, "Leave it");
	let answer = null;
	let isRunning = false;
	let typed = "";

	const showCommand = () => {
		const text = command?.(values);
		shell.hidden = !text;
		line.textContent = text || "";
		fill(copyPlace, text && copyButton(text, "Copy the command"));
	};
	const submit = async (event) => {
		event.preventDefault();
		if (isRunning) return;
		isRunning = true;
		yes.disabled = true;
		message.className = "";
		message.textContent = "…";
		try {
			answer = (await run(values, (text) => (message.textContent = text))) ?? "Done.";
			dialog.close();
			say(answer);
		} catch (error) {
			message.className = "error";
			message.textContent = error.message;
			yes.disabled = false;
		} finally {
			isRunning = false;
		}
	};
	const dialog = h("dialog", { "aria-labelledby": "ask-title" },
		h("form", { onsubmit: submit },
			h("h2", { id: "ask-title" }, title),
			told,
			fields.map((field) => control(field, values, showCommand)),
			shell,
			message,
			h("div.buttons", no, yes)));
	document.body.append(dialog);
	showCommand();
	dialog.showModal();
	(dialog.querySelector("input, textarea, select") || no).focus();
	if (typeof what === "function") {
		what((text) => (typed = text)).then((nodes) => {
			fill(told, nodes, typed && h("label", `Type ${typed} to confirm`,
				h("input", { inputmode: "numeric", autocomplete: "off", oninput: (event) => (yes.disabled = event.target.value.trim() !== typed) })));
			yes.disabled = typed !== "";
			showCommand();
		}, (error) => fill(told, h("p.error", error.message)));
	}
	return new Promise((resolve) => {
		dialog.addEventListener("close", () => {
			dialog.remove();
			resolve(answer);
		});
	});
}

function control({ name, label, type = "text", options, required, rows, placeholder, max = 500 }, values, changed) {
	const shared = {
		name,
		required,
		oninput: (event) => {
			values[name] = event.target.value;
			changed();
		},
	};
	const typing = { ...shared, placeholder, maxlength: max, value: values[name] };
	let input = rows ? h("textarea", { ...typing, rows }) : h("input", { ...typing, type });
	if (options) input = h("select", shared, options.map(([value, text]) => h("option", { value, selected: value === values[name] }, text)));
	return h("label", label, input);
}

/* verbsOf(lane, refresh) makes buttons for verbs of one thing: each asks, posts to `where`, says `said`, and refreshes. */
export const verbsOf = (thing, refresh) => (text, { where, body, ff, said, ...asked }) => {
	const namespace = namespaceOf(thing);
	const there = namespace === "default" ? {} : { namespace };
	return button(text, async () => {
		const done = await ask({
			confirm: text,
			command: (values) => (typeof ff === "function" ? command(...ff(values, there)) : command(...ff, { ...values, ...there })),
			run: async (values) => (await post(where, { ...(body ? body(values) : values), namespace }), said),
			...asked,
		});
		if (done) refresh();
	});
};

export const REASON = { name: "reason", label: "Reason (it is kept in the events)", placeholder: "why" };

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`);

/* command("cancel", id, {reason: "x"}) is `ff cancel '{fp:1}:…' --reason x`. Options without a value are left out. */
export function command(verb, ...rest) {
	const options = typeof rest.at(-1) === "object" ? rest.pop() : {};
	const parts = ["ff", verb, ...rest.map(quoted)];
	for (const [name, value] of Object.entries(options)) {
		if (value === true) parts.push(`--${name}`);
		else if (value !== "" && value !== null && value !== undefined && value !== false) parts.push(`--${name}`, quoted(String(value)));
	}
	return parts.join(" ");
}
