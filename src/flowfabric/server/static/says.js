import { fill, h } from "./h.js";

let timer = 0;

export function say(text, tone = "") {
	const line = document.getElementById("says");
	fill(line, h("p", { class: tone }, text));
	clearTimeout(timer);
	timer = setTimeout(() => fill(line), Math.max(4000, text.length * 70));
}
