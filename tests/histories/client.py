"""One client of a history: it calls, and writes down what it asks and what it hears."""

import json
import os
import random
import time
from pathlib import Path
from typing import Any

from flowfabric import BlockingEngine, Contention, EngineError, StoreError

LOST_ONE_IN = 60


class Client:
    """One client with an engine of its own: what it asks for is up to those who derive from it."""

    def __init__(self, engine: BlockingEngine, log: Path, story: str, seed: str) -> None:
        self._engine = engine
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._name = log.stem
        self._story = story
        self._chance = random.Random(f"{seed} {log.stem}")
        self._number = 0

    def close(self) -> None:
        os.close(self._log)

    def run(self, calls: int) -> None:
        for _ in range(calls):
            self._call()

    def _call(self) -> None:
        place, verb = self._chosen()
        given = getattr(self, f"_for_{verb}", lambda place: {})(place)
        self._number += 1
        self._note(about=self._about(place), verb=verb, given=given, begun=time.monotonic(), begun_ms=_now_ms())
        try:
            answer = self._asked(verb, place, given)
        except (Contention, StoreError):
            return  # it may have happened
        except EngineError as error:
            answer = {"refused": type(error).__name__}
            answer |= {name: getattr(error, name) for name in ("public_state", "lease_epoch") if hasattr(error, name)}
        except Exception as error:
            answer = {"refused": f"never heard of: {error!r}"}
        ended, ended_ms = time.monotonic(), _now_ms()
        if self._chance.randrange(LOST_ONE_IN) == 0:
            return  # the answer is lost: from here on nobody knows
        self._note(answer=answer, ended=ended, ended_ms=ended_ms + 1)
        self._heard(verb, place, given, answer)

    def _about(self, place: int) -> str:
        """What the checker knows it by."""
        return str(place)

    def _chosen(self) -> tuple[int, str]:
        """What the next call is about, by its number, and its verb."""
        raise NotImplementedError

    def _asked(self, verb: str, place: int, given: dict[str, Any]) -> dict[str, Any]:
        """Ask, and return the answer in words."""
        raise NotImplementedError

    def _heard(self, verb: str, place: int, given: dict[str, Any], answer: dict[str, Any]) -> None:
        """Remember what later calls need of an answer."""
        raise NotImplementedError

    def _note(self, **noted: Any) -> None:
        os.write(self._log, (json.dumps({"number": self._number, **noted}) + "\n").encode())


def as_told(answer: Any) -> dict[str, Any]:
    """An answer in words: its name and its plain fields."""
    fields = {name: getattr(answer, name) for name in getattr(answer, "__struct_fields__", ())}
    plain = {name: value for name, value in fields.items() if value is None or isinstance(value, (str, int))}
    return {"is": type(answer).__name__, **plain}


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
