export const FILTERS = ["state", "lane", "kind", "flow", "tag", "older", "id"];

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const WORD = /(?:(-{0,2})([a-z]+)[:=]|--([a-z]+)\s+)?("[^"]*"|\S+)/g;

/* parsed('state:failed lane:mail greet') is {state: "failed", lane: "mail", kind: "greet"}. An id alone is an id; any
 * other word alone is the name of a task. `--state failed` is understood, too. Raises what to mend. */
export function parsed(text) {
	const found = {};
	for (const [, , before, option, value] of text.matchAll(WORD)) {
		const plain = value.replace(/^"|"$/g, "");
		const name = before || option || (isId(plain) ? "id" : "kind");
		if (!FILTERS.includes(name)) throw new Error(`There is no filter “${name}”. There are: ${FILTERS.join(", ")}.`);
		if (name in found) throw new Error(`“${name}” is there twice. Give it once. A word alone is a kind (a task).`);
		found[name] = plain;
	}
	return found;
}

export const isId = (text) => text.startsWith("{fp:") || UUID.test(text);

export function written(fields) {
	return FILTERS.filter((name) => fields[name])
		.map((name) => `${name}:${/\s/.test(fields[name]) ? `"${fields[name]}"` : fields[name]}`)
		.join(" ");
}

const SPAN = /(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)/g;
const LENGTHS = { ms: 1, s: 1000, m: 60000, h: 3600000, d: 86400000, w: 604800000 };

export function spanMs(text) {
	if (!/^(\s*\d+(\.\d+)?\s*(ms|s|m|h|d|w))+\s*$/.test(text)) throw new Error(`“${text}” is no span of time. Write 90s, 2h or 1d12h.`);
	return [...text.matchAll(SPAN)].reduce((sum, [, count, unit]) => sum + Number(count) * LENGTHS[unit], 0);
}
