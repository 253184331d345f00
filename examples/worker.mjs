// A worker in JavaScript: Node 20 or newer, and no package. Copy it, and write your own `tasks`.
//
//   FLOWFABRIC_SERVER=http://127.0.0.1:7433 FLOWFABRIC_TOKEN=fft_... node worker.mjs
//
// It claims executions and runs them, keeps their leases alive, and stores each step that is done. If this process is
// killed, another worker gets its executions when their leases are over, and goes on after the last stored step.
// On SIGTERM it claims nothing more, lets running tasks finish, and hands back those that take too long.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVER = process.env.FLOWFABRIC_SERVER ?? 'http://127.0.0.1:7433';
const TOKEN = process.env.FLOWFABRIC_TOKEN ?? '';
const LANES = (process.env.LANES ?? 'default').split(',');
const SLOTS = Number(process.env.SLOTS ?? 8); // how many tasks run at the same time
const LEASE_MS = Number(process.env.LEASE_MS ?? 30_000);
const GRACE_MS = Number(process.env.GRACE_MS ?? 20_000);
const FAREWELL_MS = Number(process.env.FAREWELL_MS ?? 2_000); // to hand back and to say goodbye; after that, leases end by themselves
const ME = { worker_id: hostname(), worker_instance_id: `${hostname()}-${process.pid}-${randomUUID()}` };

// ── the tasks, by the kind of execution ──────────────────────────────────────────────────────────

const tasks = {
  // Two services are called, each in a step: what a step returned is stored, and no later attempt calls it again.
  async order({ bank, warehouse, cents }, ctx) {
    const receipt = await ctx.step('charge', () => post(bank, { cents }, ctx));
    await ctx.write(`charged: ${receipt}\n`);
    const parcel = await ctx.step('pack', () => post(warehouse, { receipt }, ctx));
    return { receipt, parcel };
  },
};

// A step may run again if the worker dies before it is stored. So the receiver gets a key by which it knows a repeat.
async function post(url, body, ctx) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `${ctx.executionId} ${ctx.stepName}` };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: ctx.signal });
  if (answer.status === 402) throw new Permanent('the bank refuses the card', 'card_refused');
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.json();
}

class Permanent extends Error {
  // Trying again would not help.
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

// ── requests ─────────────────────────────────────────────────────────────────────────────────────

class Refused extends Error {
  constructor(status, { code, detail }) {
    super(detail ?? `the answer is ${status}`);
    this.code = code ?? 'refused';
  }
}

// One request. If the server is away, or asks us to come again, it is sent again until the signal says stop. The key is
// the same each time, so that nothing is done twice even if only the answer was lost.
async function call(method, path, body, signal) {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'accept-payload': 'json',
    ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  };
  for (let pause = 50; ; pause = Math.min(pause * 2, 5_000)) {
    signal.throwIfAborted();
    try {
      const answer = await fetch(SERVER + path, { method, headers, body: body && JSON.stringify(body), signal });
      if (answer.status === 204) return null;
      const value = await answer.json().catch(() => ({})); // a proxy before the server may say something else
      if (answer.ok) return value;
      if (!value.retryable && answer.status < 500) throw new Refused(answer.status, value);
    } catch (error) {
      if (error instanceof Refused || signal.aborted) throw error;
    }
    await sleep(pause * (0.5 + Math.random()), undefined, { signal });
  }
}

// Bytes travel as {"json": …} if they are JSON, and otherwise as {"base64": …}.
const valueOf = (data) => ('json' in data ? data.json : Buffer.from(data.base64, 'base64'));
const asJson = (value) => ({ json: value ?? null });
const asBytes = (text) => ({ base64: Buffer.from(text).toString('base64') });

// ── one attempt ──────────────────────────────────────────────────────────────────────────────────

const held = new Map(); // lease → attempt
const LOST = Symbol('the lease is over'); // why an attempt has to stop: another worker may have it,
const HAND_BACK = Symbol('this worker stops'); // or nobody has it once we have released it

class Attempt {
  #stop = new AbortController();
  #stored;

  constructor(claimed) {
    this.claimed = claimed;
    this.executionId = claimed.execution_id;
    this.signal = this.#stop.signal; // hand it on to everything that waits
    this.goodUntil = Date.now() + LEASE_MS;
    this.handBackAtNextStep = false;
  }

  stop(why) {
    this.#stop.abort(why);
  }

  async run() {
    const { lease, kind, payload } = this.claimed;
    try {
      // During an update other workers may know it already: let them, in a while.
      if (!tasks[kind]) return await this.#say('delay', { until_ms: Date.now() + 10_000 });
      const steps = `/v1/executions/${encodeURIComponent(this.executionId)}/steps`;
      const stored = await call('GET', steps, undefined, this.signal);
      this.#stored = new Map(stored.map((step) => [step.name, valueOf(step.result)]));
      // A task that does not look at the signal goes on alone; nobody waits for it then.
      const result = await Promise.race([tasks[kind](valueOf(payload).arguments, this), rejectionOf(this.signal)]);
      await this.#say('complete', { result: asJson(result) });
    } catch (error) {
      if (this.signal.reason === LOST || isLost(error)) return; // nothing we say counts any more
      if (this.signal.reason === HAND_BACK || error === HAND_BACK) return await this.#handBack();
      const { code = error.name, message, stack } = error;
      await this.#say('fail', { code, message, traceback: stack, retryable: !(error instanceof Permanent) });
    } finally {
      held.delete(lease);
    }
  }

  // The result of a step that is stored, or that of `work`, which is stored before this returns.
  async step(name, work) {
    if (this.#stored.has(name)) return this.#stored.get(name);
    if (this.handBackAtNextStep) throw HAND_BACK;
    this.stepName = name;
    const result = await work();
    await this.#say('step', { name, result: asJson(result) });
    return result;
  }

  // A frame of the stream of this execution: readers see it while the task runs.
  async write(text) {
    await this.#say('frames', { frames: [{ kind: 'text', payload: asBytes(text) }] });
  }

  #say(what, more) {
    return call('POST', `/v1/leases/${what}`, { lease: this.claimed.lease, ...more }, this.signal);
  }

  async #handBack() {
    const soon = AbortSignal.timeout(FAREWELL_MS); // otherwise the lease ends by itself, a little later
    await call('POST', '/v1/leases/release', { lease: this.claimed.lease }, soon);
  }
}

const isLost = (error) => ['stale_lease', 'lease_expired', 'execution_not_active'].includes(error.code);
const rejectionOf = (signal) => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)));

// ── the loops ────────────────────────────────────────────────────────────────────────────────────

// All leases in one request, every third of their length. An answer says of each whether it still holds.
async function keepLeases(signal) {
  while (!signal.aborted) {
    await sleep(LEASE_MS / 3, undefined, { signal });
    const leases = [...held.keys()];
    const good = Date.now() + LEASE_MS;
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(LEASE_MS / 2))]);
      const answers = await call('POST', '/v1/leases/renew:batch', { leases, lease_ttl_ms: LEASE_MS }, inTime);
      answers.forEach((answer, n) => {
        const attempt = held.get(leases[n]);
        if (answer.type === 'LeaseLost') attempt?.stop(LOST);
        else if (attempt) Object.assign(attempt, { goodUntil: good, handBackAtNextStep: answer.pause });
      });
      await call('POST', '/v1/workers', { ...ME, lanes: LANES, ttl_ms: LEASE_MS }, inTime); // shown by `ff workers`
    } catch (error) {
      console.error(`leases could not be renewed: ${error.message}`);
    }
    for (const attempt of held.values()) if (attempt.goodUntil < Date.now()) attempt.stop(LOST);
  }
}

async function work(stopping) {
  const running = new Set();
  while (!stopping.aborted) {
    if (running.size >= SLOTS) {
      await Promise.race(running);
      continue;
    }
    // Answers as soon as there is work, and otherwise with nothing after 30 seconds.
    const body = { ...ME, lanes: LANES, limit: SLOTS - running.size, lease_ttl_ms: LEASE_MS, timeout_ms: 30_000 };
    const claimed = await call('POST', '/v1/leases/wait', body, stopping).catch((error) => {
      if (!stopping.aborted) throw error;
    });
    for (const each of claimed ?? []) {
      const attempt = new Attempt(each);
      held.set(each.lease, attempt);
      const run = attempt.run().catch((error) => console.error(`${each.execution_id}: ${error.message ?? error}`));
      running.add(run);
      run.finally(() => running.delete(run));
    }
  }
  await Promise.race([Promise.all(running), sleep(GRACE_MS, undefined, { ref: false })]);
  for (const attempt of held.values()) attempt.stop(HAND_BACK);
  await Promise.all(running);
}

const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => stopping.abort());
const ended = new AbortController();
const keeping = keepLeases(ended.signal).catch(() => {});
console.log(`serves ${LANES} as ${ME.worker_instance_id}`);
await work(stopping.signal);
ended.abort();
await keeping;
await call('POST', `/v1/workers/${ME.worker_instance_id}/goodbye`, {}, AbortSignal.timeout(FAREWELL_MS)).catch(() => {});
process.exit(0);
