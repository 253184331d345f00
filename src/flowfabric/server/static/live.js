import { get, onStranger, prefix, query } from "./api.js";
import { nowMs } from "./format.js";

const PAUSE_MS = 250; // the least time between two updates
const SHARE = 4; // an update that takes long is followed by a pause so many times as long
const QUICK = 4; // so many updates may follow each other quickly before those that read must wait
const EVENTS_MAX = 500; // how many events are handed over at once
const LAG_MS = 30000; // a reader that is further behind goes on from now

export const state = { name: "off", lastEventMs: null, changed: () => {} };

let current = null;
let isPaused = sessionStorage.getItem("paused") === "yes";

function become(name) {
	if (state.name === name) return;
	state.name = name;
	state.changed();
}

/* What `live` of a page does. Returns what ends it. */
export function follow(filter, act, eachMs) {
	current?.stop();
	const mine = new Follower(filter, act, eachMs);
	current = mine;
	mine.start();
	return () => {
		mine.stop();
		if (current === mine) {
			current = null;
			become("off");
		}
	};
}

export function togglePause() {
	isPaused = !isPaused;
	sessionStorage.setItem("paused", isPaused ? "yes" : "no");
	if (isPaused) current?.close("paused");
	else current?.start(true);
	state.changed();
}

export const paused = () => isPaused;

class Follower {
	/* Without a cursor, it follows what happens from now on. */
	constructor({ cursor = null, ...filter }, act, eachMs) {
		this.filter = filter;
		this.cursor = cursor;
		this.act = act;
		this.eachMs = eachMs;
		this.quick = QUICK;
		this.events = [];
		this.source = null;
		this.retryMs = 500;
		this.isOver = false;
		this.isBusy = false;
		this.isDue = false;
		this.notBefore = 0;
		this.beganMs = performance.now();
		// A page that nobody sees needs no connection, and a browser has only six for each server.
		this.seen = () => (document.hidden ? this.close("paused") : this.start(true));
		document.addEventListener("visibilitychange", this.seen);
	}

	start(wasAway = false) {
		if (this.isOver || this.source || isPaused || document.hidden) {
			if (isPaused) become("paused");
			return;
		}
		become("connecting");
		const where = this.cursor === null ? { from_now: true } : { cursor: this.cursor };
		const source = new EventSource(`${prefix}/v1/events${query({ ...this.filter, ...where })}`);
		this.source = source;
		source.onopen = () => {
			this.retryMs = 500;
			become("live");
			if (wasAway) this.soon();
		};
		source.onmessage = (message) => {
			this.cursor = message.lastEventId || this.cursor;
			this.took(JSON.parse(message.data));
		};
		source.addEventListener("end", (message) => {
			const why = JSON.parse(message.data).code;
			if (why === "unauthenticated") onStranger.act();
			if (why === "cursor_gone") this.cursor = null;
			this.again();
		});
		source.onerror = () => {
			if (source.readyState === EventSource.CLOSED) this.ask(); // refused: a stream does not say why
			this.again();
		};
	}

	/* Finds out why the log was refused. A session that is over leads to the log-in. */
	ask() {
		get("/v1/events", { ...this.filter, cursor: this.cursor, limit: 1 }).catch((error) => {
			if (error.status === 400) this.cursor = null;
		});
	}

	took(event) {
		state.lastEventMs = event.occurred_at_ms;
		if (nowMs() - event.occurred_at_ms > LAG_MS && this.events.length > EVENTS_MAX) {
			this.cursor = null;
			this.events = [];
			this.again();
			return;
		}
		this.events.push(event);
		if (this.events.length > EVENTS_MAX * 2) this.events.splice(0, EVENTS_MAX);
		this.soon();
	}

	again() {
		this.close("disconnected");
		this.later(() => this.start(true), this.retryMs);
		this.retryMs = Math.min(this.retryMs * 2, 10000);
	}

	close(name) {
		this.source?.close();
		this.source = null;
		if (!this.isOver) become(name);
	}

	soon() {
		if (this.isDue || this.isOver) return;
		this.isDue = true;
		this.later(() => this.hand(), Math.max(PAUSE_MS, this.notBefore - performance.now()));
	}

	async hand() {
		this.isDue = false;
		if (isPaused) return;
		if (this.isBusy) {
			this.soon();
			return;
		}
		this.isBusy = true;
		const began = performance.now();
		const events = this.events.splice(0).slice(-EVENTS_MAX);
		try {
			await this.act(events);
		} catch (error) {
			if (error.name !== "AbortError") console.warn(String(error));
		} finally {
			this.isBusy = false;
			const gained = this.eachMs ? (began - this.beganMs) / this.eachMs : QUICK;
			this.beganMs = began;
			this.quick = Math.min(QUICK, this.quick + gained) - 1;
			const restMs = Math.max(0, 1 - this.quick) * this.eachMs;
			this.notBefore = performance.now() + Math.max(restMs, (performance.now() - began) * SHARE);
		}
	}

	later(act, ms) {
		setTimeout(() => this.isOver || act(), ms);
	}

	stop() {
		this.isOver = true;
		document.removeEventListener("visibilitychange", this.seen);
		this.source?.close();
	}
}
