"""Cuts the power at many moments of a recorded log, and counts what was lost."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from tests.power_cuts.checking import Verdict
from tests.power_cuts.disk import Disk, Image
from tests.power_cuts.recording import Kind, Record


class Images(Protocol):
    """Something that checks images of one store."""

    def check(self, image: Image, position: int) -> Verdict:
        """What is wrong with the image of a cut at this position."""


class Found(NamedTuple):
    """One power cut and what it did."""

    number: int
    position: int
    verdict: Verdict
    image: Image


def cuts(base: Image | None, records: Sequence[Record], images: Images, count: int, seed: str) -> Iterator[Found]:
    """Cut the power so many times, each time in another way. The same seed cuts the same log in the same ways."""
    disk = Disk(base)
    for number, position in enumerate(_positions(records, count, seed)):
        while disk.position < position:
            disk.apply(records[disk.position])
        image = disk.cut(f"{seed}-{number}")
        yield Found(number, position, images.check(image, position), image)


def _positions(records: Sequence[Record], count: int, seed: str) -> list[int]:
    """At which moments: half of them right after somebody was told something, half of them anywhere."""
    chance = random.Random(seed)
    told = [place for place, record in enumerate(records, 1) if record.kind is Kind.NOTE]
    anywhere = range(len(records) + 1)
    return sorted(chance.choice(told if number % 2 and told else anywhere) for number in range(count))
