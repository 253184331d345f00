"""Garbage in the row of an access token: it is named, it lets nobody in, and the other tokens go on."""

from pathlib import Path

import pytest

from flowfabric import Corruption, ManualClock, open_blocking_engine
from tests.stores.test_corrupted_schedules import run_on
from tests.stores_under_test import SHARED_STORES, STORES

DAMAGE = ("kind = 'other'", "role = 'king'", "secret_hash = {bytes}")


@pytest.mark.parametrize("store", SHARED_STORES)
@pytest.mark.parametrize("assignment", DAMAGE)
def test_a_damaged_token_is_named_and_the_others_let_their_holders_in(
    store: str, assignment: str, tmp_path: Path, clock: ManualClock
) -> None:
    with (
        STORES[store].empty(tmp_path) as url,
        open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine,
    ):
        damaged, whole = engine.create_access_token("viewer"), engine.create_access_token("viewer")
        token_id = damaged.token.token_id
        garbage = assignment.format(bytes="x'00'" if store == "sqlite" else "'\\x00'::bytea")
        run_on(url, f"update ff_access_token set {garbage} where token_id = '{token_id}'")

        for use in (
            lambda: engine.authenticate(damaged.secret),
            lambda: engine.log_in(damaged.secret),
            lambda: engine.revoke_access_token(token_id),
            lambda: engine.list_access_tokens(kind=None),
        ):
            with pytest.raises(Corruption, match=f"ff_access_token, key {token_id}: column kind, role or secret_hash"):
                use()
        assert engine.authenticate(whole.secret) is not None
