import { get, may, onStranger, prefix, remove, session } from "./api.js";
import { ago, tick } from "./format.js";
import { fill, h } from "./h.js";
import { help, PLACES, startKeys } from "./keys.js";
import { paused, state as live, togglePause } from "./live.js";
import { badge, countQuestions } from "./questions.js";
import { go, link, onMove, open, place, start } from "./router.js";
import { say } from "./says.js";

const bar = document.getElementById("bar");

const module = (name) => () => import(`./${name}.js`);

const OWN = new Set(["overview", "executions", "events"]); // lists with a module of their own

/* Who may only submit sees single executions and flows: those that they have made. */
const list = (name) => async () =>
	!may("look") ? { show: closed } : OWN.has(name) ? module(name)() : { show: (await import("./lists.js")).lists[name] };

function closed(page) {
	if (!session.who) return onStranger.act();
	page.title("Not for this role");
	page.paint(h("h1", "Not for this role"),
		h("p", `The role ${session.who.role} does not include looking around. It sees what it has made itself, by its address: `,
			h("code", `${prefix}/executions/ID`), "."));
}

start([
	["/", list("overview")],
	["/login", module("login")],
	["/executions/{id}", module("execution")],
	["/flows/{id}", module("flow")],
	...PLACES.slice(1).map(([, name]) => [`/${name}`, list(name)]),
]);
startKeys();

const LIVE = {
	off: ["", "Live"],
	connecting: ["wait", "Connecting…"],
	live: ["good", "Live"],
	disconnected: ["bad", "Disconnected, retrying"],
	paused: ["hold", "Page paused"],
};

function paintBar() {
	const who = session.who;
	const [tone, text] = LIVE[paused() ? "paused" : live.name];
	const last = live.lastEventMs ? `Last event: ${ago(live.lastEventMs)}. ` : "";
	fill(bar,
		h("a.brand", { href: `${prefix}/` }, "FlowFabric"),
		h("nav", { "aria-label": "Pages" },
			who && PLACES.map(([letter, path, name]) =>
				h("a", { key: path, href: `${prefix}/${path}`, title: `g ${letter}`, "aria-current": place() === path ? "page" : null }, name,
					path === "waiting" && badge.text ? h("span.badge", badge.text, h("span.unseen", " open questions")) : null))),
		who && h("button.live", { class: tone, "aria-pressed": String(paused()), title: `${last}Stop or go on`, onclick: togglePause }, text),
		h("button.round", { title: "Keys", "aria-label": "Keys", onclick: help }, "?"),
		who && h("span.who", { title: `You are ${who.name}: ${who.role}` }, who.is_open ? "no log-in" : `${who.name} (${who.role})`),
		who && !who.is_open && h("button", { onclick: logOut }, "Log out"));
}

live.changed = paintBar;
badge.changed = paintBar;
onMove.act = paintBar;

async function logOut() {
	await remove("/v1/session");
	session.who = null;
	paintBar();
	go(link`/login`);
}

onStranger.act = () => {
	if (!session.who && location.pathname === `${prefix}/login`) return;
	session.who = null;
	paintBar();
	const back = location.pathname.slice(prefix.length) + location.search;
	go(`${prefix}/login?next=${encodeURIComponent(back)}`, { replace: true });
};

export async function begin(isKnown = true) {
	try {
		if (isKnown) session.who = await get("/v1/session");
	} catch (error) {
		if (error.status !== 401) say(error.message, "error");
	}
	if (!session.who && location.pathname !== `${prefix}/login`) {
		onStranger.act();
		return;
	}
	paintBar();
	await open();
	if (may("look") && !["", "waiting"].includes(place())) countQuestions(); // these pages do it themselves
}

setInterval(() => {
	if (may("look") && !document.hidden && !paused()) countQuestions();
}, 30000);

setInterval(() => {
	if (!document.hidden) tick();
}, 1000);

begin(document.querySelector('meta[name="session"]').content !== "none");
