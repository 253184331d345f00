import { skewFrom } from "./format.js";

export const prefix = document.querySelector('meta[name="prefix"]').content;

/* What the server has refused, as a sentence. `code` is what a program matches on. */
class Problem extends Error {
	constructor(status, problem) {
		super(problem.detail || problem.title || `The server answered ${status}.`);
		this.status = status;
		this.code = problem.code || "";
		this.requestId = problem.request_id || "";
	}
}

export const onStranger = { act: () => {} };

/* path`/v1/executions/${id}/cancel` quotes what it is given. */
export const path = (texts, ...values) =>
	texts.reduce((whole, text, index) => whole + encodeURIComponent(values[index - 1]) + text);

export function query(values) {
	const fields = new URLSearchParams();
	for (const [key, value] of Object.entries(values || {})) {
		for (const each of Array.isArray(value) ? value : [value]) {
			if (each !== null && each !== undefined && each !== "") fields.append(key, each);
		}
	}
	const text = fields.toString();
	return text && `?${text}`;
}

export const get = (where, values, signal) => call("GET", where + query(values), undefined, signal);

/* The same for values of users: whole numbers that a number of JavaScript cannot hold become BigInts, and stay exact. */
export const getExact = (where, signal) => call("GET", where, undefined, signal, undefined, exactly);

const exactly = (key, value, context) =>
	typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source || "") ? BigInt(context.source) : value;

/* post(path`/v1/executions/${id}/hold`, {reason}). A retry with the same key is done once. */
export const post = (where, body = {}, key = randomKey()) => call("POST", where, body, undefined, key);

export const remove = (where) => call("DELETE", where);

async function call(method, where, body, signal, key, reviver) {
	const headers = { "Accept-Payload": "json" };
	if (method !== "GET") headers["FF-CSRF"] = "1";
	if (key) headers["Idempotency-Key"] = key;
	if (body !== undefined) headers["Content-Type"] = "application/json";
	let response;
	try {
		response = await fetch(prefix + where, {
			method,
			headers,
			signal,
			body: body === undefined ? undefined : JSON.stringify(body),
			credentials: "same-origin",
			cache: "no-store",
		});
	} catch (error) {
		if (error.name === "AbortError") throw error;
		throw new Problem(0, { detail: "The server cannot be reached. Is it running?", code: "unreachable" });
	}
	skewFrom(response.headers.get("date"));
	if (response.status === 204) return null;
	const text = await response.text();
	let answer;
	try {
		answer = JSON.parse(text, reviver);
	} catch {
		throw new Problem(response.status, { detail: `The server answered ${response.status}, and no JSON.` });
	}
	if (response.ok) return answer;
	const problem = new Problem(response.status, answer);
	if (problem.status === 401 && where !== "/v1/session") onStranger.act();
	throw problem;
}

/* crypto.randomUUID does not exist on pages without TLS. */
function randomKey() {
	return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/* Who is logged in, and what they may do: {name, role, namespace, may, is_open, version}. */
export const session = { who: null };

export const may = (permission) => Boolean(session.who?.may.includes(permission));

export const namespaceOf = (thing) => thing?.namespace || session.who?.namespace || "default";
