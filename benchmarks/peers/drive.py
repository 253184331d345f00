"""Tell one contender to do one thing, in its own environment: `python drive.py NAME VERB [NUMBER ...]`.

Every verb but `work` answers with one line of JSON.

    about             versions, and what the contender has
    setup             make an empty database ready
    submit N          seconds for submitting N jobs
    work SLOTS        be a worker until SIGTERM
    prompt N          milliseconds from submit to start, N times, with a worker elsewhere
    prompt_here N S   the same, with a worker of S slots on this event loop
    mixed SECONDS     jobs finished in that time, while others are submitted
    chains N          seconds until N chains of ten jobs are done
    steps N           seconds until N jobs of ten steps are done
"""

import asyncio
import importlib
import importlib.metadata
import json
import platform
import sys
import time

from driver import Driver, hits

START_S_MAX = 30.0
PAUSE_S = 0.02
"""Between two submits: long enough that the system is idle again."""
LOOK_S = 0.0005
PROMPT_S_MAX = 5.0
"""Slow contenders give fewer samples."""
WARM_UPS = 5
CHUNK = 100
BACKLOG_MAX = 2000
CHAINS_S_MAX = 30.0
TOGETHER = 50


async def answer(driver: Driver, verb: str, numbers: list[int]) -> dict[str, object]:
    match verb, numbers:
        case "about", []:
            return about(driver)
        case "setup", []:
            await driver.setup()
            return {}
    await driver.open()
    match verb, numbers:
        case "submit", [count]:
            start = time.perf_counter()
            await driver.submit(count)
            return {"seconds": time.perf_counter() - start}
        case "prompt", [samples]:
            return {"ms": await prompt(driver, samples)}
        case "prompt_here", [samples, slots]:
            working = asyncio.ensure_future(driver.work_here(slots))
            sampling = asyncio.ensure_future(prompt(driver, samples))
            await asyncio.wait([working, sampling], return_when=asyncio.FIRST_COMPLETED)
            if not sampling.done():
                sampling.cancel()
                await working
                raise RuntimeError("The worker ended before its work.")
            return {"ms": await sampling}
        case "mixed", [seconds]:
            return await mixed(driver, seconds)
        case "chains", [count]:
            return await in_waves(driver.submit_chain, count)
        case "steps", [count]:
            return await in_waves(driver.submit_steps, count)
    raise SystemExit(__doc__)


def about(driver: Driver) -> dict[str, object]:
    has = {"chains": driver.submit_chain, "steps": driver.submit_steps, "prompt here": driver.work_here}
    return {
        "python": platform.python_version(),
        "versions": {**driver.others, **{name: importlib.metadata.version(name) for name in driver.packages}},
        "has": [name for name, way in has.items() if way is not None],
    }


async def prompt(driver: Driver, samples: int) -> list[float]:
    found: list[float] = []
    for _ in range(WARM_UPS):
        await _one(driver)
    stop_at = time.monotonic() + PROMPT_S_MAX
    while len(found) < samples and time.monotonic() < stop_at:
        await asyncio.sleep(PAUSE_S)
        found.append(await _one(driver))
    return found


async def _one(driver: Driver) -> float:
    before = hits.seen().count
    start = time.monotonic_ns()
    await driver.submit_one()
    await _until(before + 1, START_S_MAX)
    return (hits.seen().last_ns - start) / 1e6


async def mixed(driver: Driver, seconds: int) -> dict[str, object]:
    before = hits.seen().count
    await driver.submit(1)
    await _until(before + 1, START_S_MAX)
    # The first second fills the queue and is not counted.
    start = time.monotonic() + 1
    done_before = None
    sent = 0
    while (now := time.monotonic()) < start + seconds:
        done = hits.seen().count - before
        if done_before is None and now >= start:
            start, done_before = now, done
        if sent - done < BACKLOG_MAX:
            await driver.submit(CHUNK)
            sent += CHUNK
        else:
            await asyncio.sleep(0.001)
    finished = hits.seen().count - before - (done_before or 0)
    return {"finished": finished, "seconds": time.monotonic() - start}


async def in_waves(submit, count: int) -> dict[str, object]:
    before = hits.seen().count
    start = time.monotonic_ns()
    left = iter(range(count))

    async def caller() -> None:
        for _ in left:
            await submit()

    await asyncio.gather(*(caller() for _ in range(TOGETHER)))
    await _until(before + count, CHAINS_S_MAX)
    return {"seconds": (hits.seen().last_ns - start) / 1e9}


async def _until(count: int, seconds_max: float) -> None:
    give_up_at = time.monotonic() + seconds_max
    while hits.seen().count < count:
        if time.monotonic() > give_up_at:
            raise TimeoutError(f"The job that was waited for had not begun after {seconds_max:.0f} s.")
        await asyncio.sleep(LOOK_S)


def main() -> None:
    name, verb, *numbers = sys.argv[1:]
    # Workers that are programs of the contender import the driver under this name, too.
    driver: Driver = importlib.import_module(f"{name}_driver").driver
    if verb == "work":
        driver.work(*map(int, numbers))
        return
    print(json.dumps(asyncio.run(answer(driver, verb, list(map(int, numbers))))), flush=True)


if __name__ == "__main__":
    main()
