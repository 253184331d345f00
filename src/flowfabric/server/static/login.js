import { post, prefix, session } from "./api.js";
import { begin } from "./app.js";
import { h } from "./h.js";
import { go } from "./router.js";

export async function show(page) {
	page.title("Log in");
	const secret = location.hash.slice(1);
	if (secret) history.replaceState({}, "", location.pathname + location.search);
	if (session.who && !secret) {
		go(next(page), { replace: true });
		return;
	}
	let error = secret ? await failureOf(page, secret) : null;
	const submit = async (event) => {
		event.preventDefault();
		error = await failureOf(page, new FormData(event.target).get("token").trim());
		if (error) paint();
	};
	const paint = () =>
		page.paint(
			h("section.login",
				h("h1", "Log in"),
				error && h("p.error", { role: "alert" }, error),
				h("form", { onsubmit: submit },
					h("input", { autocomplete: "username", hidden: true, value: "token" }),
					h("label", "Access token",
						h("input", { name: "token", type: "password", autocomplete: "current-password", required: true, placeholder: "fft_…" })),
					h("button.main", { type: "submit" }, "Log in")),
				h("p.faint", "A token is made by ", h("code", "ff tokens create --role viewer"), ". ",
					"When it starts, ", h("code", "ff server"), " also prints a link that logs in once.")));
	if (error !== undefined) paint();
	document.querySelector("input[name=token]")?.focus();
}

/* Logs in, and goes on. Returns what was wrong, or undefined. */
async function failureOf(page, token) {
	try {
		await post("/v1/session", { token }, "");
	} catch (error) {
		return error.message;
	}
	history.replaceState({}, "", next(page));
	await begin();
	return undefined;
}

function next(page) {
	const wanted = page.query.get("next") || "/";
	return prefix + (/^\/(?![/\\])/.test(wanted) && !wanted.startsWith("/login") ? wanted : "/");
}
