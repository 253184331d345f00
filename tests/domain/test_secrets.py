"""Which key signs tokens after a rotation, and until when the keys before it are good."""

import re

import pytest
from rich.pretty import pretty_repr

from flowfabric.domain.batch_io import Loaded
from flowfabric.domain.commands import Envelope, RotateSecret, request_fingerprint
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.decide.secrets import KEYS_MAX
from flowfabric.domain.errors import Conflict, EngineError, Refused
from flowfabric.domain.outcomes import Outcome, SecretRotated
from flowfabric.domain.waiting import WAITPOINT_KEYS, KeyRing, SigningKey
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, STORE

DAY = 86_400_000
S1, S2, S3 = (bytes([number]) * 32 for number in (1, 2, 3))


class Ring:
    """The key ring of a store, and commands to it."""

    def __init__(self) -> None:
        self.stored: KeyRing | None = None
        self.writes = 0

    def rotate(
        self, kid: str | None, secret: bytes, grace_ms: int = 7 * DAY, *, now_ms: int = NOW, is_first: bool = False
    ) -> Outcome | EngineError:
        batch = [Envelope(RotateSecret(kid, secret, grace_ms, is_first))]
        loaded = Loaded() if self.stored is None else Loaded(key_rings={WAITPOINT_KEYS: self.stored})
        ws = WorkingSet(loaded, needs(batch), now_ms=now_ms, store=STORE)
        (answer,) = apply_batch(ws, batch)
        for ring in ws.changes().key_rings.values():
            self.stored = ring
            self.writes += 1
        return answer

    @property
    def kids(self) -> dict[str, int | None]:
        return {} if self.stored is None else {key.kid: key.valid_until_ms for key in self.stored.keys}


@pytest.fixture
def ring() -> Ring:
    return Ring()


def test_the_first_key_has_none_before_it(ring: Ring):
    assert ring.rotate(None, S1, is_first=True) == SecretRotated("k1", None)
    assert ring.kids == {"k1": None}


def test_a_first_key_changes_nothing_if_there_is_a_key(ring: Ring):
    ring.rotate("own", S1)

    assert ring.rotate(None, S2, is_first=True) == SecretRotated("own", None)
    assert ring.stored == KeyRing(WAITPOINT_KEYS, (SigningKey("own", S1),))


def test_the_former_key_is_good_for_its_grace_and_not_at_its_end(ring: Ring):
    ring.rotate("k1", S1)

    assert ring.rotate("k2", S2, DAY) == SecretRotated("k2", "k1")
    assert ring.kids == {"k1": NOW + DAY, "k2": None}
    former, current = ring.stored.keys
    assert (former.is_valid(NOW + DAY - 1), former.is_valid(NOW + DAY)) == (True, False)
    assert (former.is_current, current.is_current, current.is_valid(NOW + 10_000 * DAY)) == (False, True, True)
    assert ring.stored.current is current


def test_a_second_rotation_does_not_lengthen_an_earlier_grace(ring: Ring):
    ring.rotate("k1", S1)
    ring.rotate("k2", S2, DAY)
    ring.rotate("k3", S3, 5 * DAY, now_ms=NOW + 10)

    assert ring.kids == {"k1": NOW + DAY, "k2": NOW + 10 + 5 * DAY, "k3": None}


def test_without_grace_the_former_key_is_not_good_any_more(ring: Ring):
    ring.rotate("k1", S1)
    ring.rotate("k2", S2, 0)

    assert [key.is_valid(NOW) for key in ring.stored.keys] == [False, True]


def test_a_rotation_without_grace_ends_the_graces_of_all_former_keys(ring: Ring):
    ring.rotate("k1", S1)
    ring.rotate("k2", S2)
    ring.rotate("k3", S3, 0, now_ms=NOW + 10)

    assert [key.is_valid(NOW + 10) for key in ring.stored.keys] == [False, False, True]


def test_the_same_kid_with_another_secret_is_a_conflict_even_after_its_grace(ring: Ring):
    ring.rotate("k1", S1)
    ring.rotate("k2", S2, 0)
    before = ring.stored

    for kid in ("k1", "k2"):
        answer = ring.rotate(kid, S3, now_ms=NOW + DAY)
        assert isinstance(answer, Conflict)
        assert f"There is a key '{kid}' with another secret" in str(answer)
    assert ring.stored is before


def test_the_same_kid_with_the_same_secret_changes_nothing(ring: Ring):
    ring.rotate("k1", S1)
    first = ring.rotate("k2", S2)
    writes = ring.writes

    assert ring.rotate("k2", S2, 0) == first == SecretRotated("k2", "k1")
    assert ring.rotate("k1", S1) == first, "a key that was replaced does not come back"
    assert ring.writes == writes


def test_a_rotation_without_a_kid_takes_the_next_number(ring: Ring):
    kids = []
    for secret, kid in [
        (S1, None),
        (S2, None),
        (S3, "2026-spring"),
        (b"4" * 32, None),
        (b"5" * 32, "k9"),
        (b"6" * 32, None),
    ]:
        kids.append(ring.rotate(kid, secret).kid)

    assert kids == ["k1", "k2", "2026-spring", "k3", "k9", "k10"]


@pytest.mark.parametrize("kid", ["k999999999", "k999999999999999", "k", "k-1", "kk9"])
def test_whatever_the_kids_are_called_the_next_one_is_a_valid_kid(ring: Ring, kid: str):
    ring.rotate(kid, S1)

    assert re.fullmatch("[a-z0-9-]{1,16}", ring.rotate(None, S2).kid)


def test_the_oldest_key_whose_grace_is_over_makes_room_for_another(ring: Ring):
    for number in range(KEYS_MAX + 5):
        ring.rotate(None, bytes([number]) * 32, 0)

    assert len(ring.kids) == KEYS_MAX
    assert next(iter(ring.kids)) == "k6"
    assert list(ring.kids)[-1] == f"k{KEYS_MAX + 5}"


def test_if_no_grace_is_over_there_is_no_room_for_another_key(ring: Ring):
    for number in range(KEYS_MAX):
        ring.rotate(None, bytes([number]) * 32)

    refusal = ring.rotate(None, b"x" * 32)

    assert isinstance(refusal, Refused)
    assert "Rotate less often, or with a shorter grace" in str(refusal)
    assert len(ring.kids) == KEYS_MAX


def test_no_text_of_a_key_or_of_a_command_shows_the_secret(ring: Ring):
    secret = b"never-to-be-seen-by-anybody-else"
    ring.rotate("k1", secret)
    command = RotateSecret("k1", secret, 0)

    for thing in (ring.stored, ring.stored.keys, command, Envelope(command), ring.rotate("k1", S1)):
        assert "never" not in f"{thing!r} {thing!s} {pretty_repr(thing)}"


def test_a_repeated_request_looks_the_same_if_its_secret_was_made_for_it():
    made = [RotateSecret("k1", secret, 0, secret_was_given=False) for secret in (S1, S2)]
    given = [RotateSecret("k1", secret, 0) for secret in (S1, S2)]

    assert len({request_fingerprint(each) for each in made}) == 1
    assert len({request_fingerprint(each) for each in [*made, *given]}) == 3
