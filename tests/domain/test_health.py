"""Facts in, findings out: no database is needed to know what is wrong."""

from collections.abc import Sequence

import pytest

from flowfabric.domain.budgets import Budget, BudgetUse, Reservation
from flowfabric.domain.gates import Gates
from flowfabric.domain.health.facts import (
    Clocks,
    EndlessWaits,
    Facts,
    Failures,
    HeldLeases,
    HeldWork,
    Host,
    Overdue,
    Queue,
    Schema,
    StoreFacts,
    Work,
)
from flowfabric.domain.health.file import DatabaseFile
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.health.gates import GateFacts
from flowfabric.domain.health.judging import findings, kept_sentence, secrets_sentence, unknowns
from flowfabric.domain.health.server import OpenTransaction, Server
from flowfabric.domain.intervals import Every
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.limits import KeyUse
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.schedule import Definition, Schedule
from flowfabric.domain.snapshots import Kept
from flowfabric.domain.workers import Worker

NOW = 1_700_000_000_000
DAY_MS = 86_400_000
CURRENT = Schema(4, 4)
SAME_TIME = Clocks(NOW, NOW, 1, NOW - 5)
MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
fileserver:/srv /srv nfs4 rw,vers=4.2 0 0
/dev/sdb1 /srv/local xfs rw 0 0
//nas/my\\040files /mnt/my\\040files cifs rw 0 0
me@host:/ /mnt/ssh fuse.sshfs rw 0 0
host /mnt/plan 9p rw 0 0
/dev/sdc1 /covered ext4 rw 0 0
nas:/c /covered nfs rw 0 0
"""


def a_worker(
    name: str = "w-1",
    *,
    lanes: Sequence[str] = ("default",),
    capabilities: Sequence[str] = (),
    seen_ms: int = NOW - 5_000,
    ttl_ms: int = 30_000,
) -> Worker:
    return Worker(
        name, "w", "default", "box", 77, tuple(lanes), tuple(capabilities), "", NOW - 99_000, seen_ms, seen_ms + ttl_ms
    )


def a_queue(lane: str = "default", capabilities: Sequence[str] = (), count: int = 3) -> Queue:
    return Queue("default", lane, tuple(capabilities), count, NOW - 7_200_000)


def held_by(name: str, *, until_ms: int = NOW + 20_000, count: int = 2) -> HeldLeases:
    return HeldLeases("default", name, count, until_ms - 1_000, until_ms)


def a_transaction(age_ms: int, *, state: str = "idle in transaction", is_prepared: bool = False) -> OpenTransaction:
    return OpenTransaction("4711", is_prepared, age_ms, "psql", state, "select * from orders where name = ")


def found(
    work: Work | None = None,
    *,
    schema: Schema = CURRENT,
    clocks: Clocks = SAME_TIME,
    store: StoreFacts | None = None,
    host: Host | None = None,
) -> list[Finding]:
    return findings(Facts(schema, clocks, work, store, host or Host()))


def problems(*arguments: Work, **facts: object) -> list[str]:
    return [finding.problem for finding in found(*arguments, **facts)]  # type: ignore[arg-type]


def test_a_healthy_system_has_no_findings() -> None:
    work = Work([a_worker()], [held_by("w-1")], [a_queue()], [Overdue("delay", 3, NOW - 500)])
    file = DatabaseFile("/var/lib/jobs.db")

    for store in (file, Server(hears_notifications=True)):
        assert found(work, store=store, host=Host(MOUNTS)) == []
        assert unknowns(Facts(CURRENT, SAME_TIME, work, store, Host(MOUNTS))) == []


@pytest.mark.parametrize(
    ("schema", "problem", "says"),
    [
        (Schema(3, 4), "schema_old", "has version 3, and this version of flowfabric needs 4"),
        (Schema(0, 4), "schema_old", "has no tables of flowfabric"),
        (Schema(5, 4, "newer"), "schema_newer", "has version 5, and this version of flowfabric knows 4"),
        (Schema(4, 4, "differs"), "schema_changed", "migrations that differ"),
    ],
)
def test_a_schema_that_is_not_ours_is_named_with_both_versions(schema: Schema, problem: str, says: str) -> None:
    (finding,) = found(schema=schema)

    assert finding.problem == problem
    assert says in finding.sentence


@pytest.mark.parametrize(
    ("machine_ms", "round_trip_ms", "expected"),
    [
        (NOW + 2_000, 0, []),
        (NOW + 2_001, 0, ["clock_skewed"]),
        (NOW - 2_001, 0, ["clock_skewed"]),
        (NOW + 2_900, 900, []),
    ],
)
def test_a_clock_is_skewed_when_it_is_off_by_more_than_the_answer_took(
    machine_ms: int, round_trip_ms: int, expected: list[str]
) -> None:
    assert problems(clocks=Clocks(machine_ms, NOW, round_trip_ms)) == expected


def test_a_clock_behind_its_own_records_was_set_back() -> None:
    (finding,) = found(clocks=Clocks(NOW, NOW, 1, NOW + 3_600_000))

    assert finding.problem == "clock_set_back"
    assert "60 min behind what was written to it last" in finding.sentence


def test_a_worker_that_was_seen_in_the_future_shows_the_same() -> None:
    assert problems(Work([a_worker(seen_ms=NOW + 60_000)])) == ["clock_set_back"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/shop/jobs.db", None),
        ("/srv/jobs.db", "nfs4"),
        ("/srv/local/jobs.db", None),
        ("/srvlike/jobs.db", None),
        ("/mnt/my files/jobs.db", "cifs"),
        ("/mnt/ssh/jobs.db", "fuse.sshfs"),
        ("/mnt/plan/jobs.db", "9p"),
        ("/covered/jobs.db", "nfs"),
    ],
)
def test_a_file_belongs_to_the_nearest_mount_above_it(path: str, kind: str | None) -> None:
    sentences = [finding.sentence for finding in found(store=DatabaseFile(path), host=Host(MOUNTS))]

    expected = [] if kind is None else [f"{path} is on a network file system ({kind}): its locks"]
    assert [sentence[: len(start)] for sentence, start in zip(sentences, expected, strict=True)] == expected


def test_mounts_that_nobody_tells_are_unknown_and_no_problem() -> None:
    facts = Facts(CURRENT, SAME_TIME, Work(), DatabaseFile("/srv/jobs.db"))

    assert findings(facts) == []
    assert "which file system" in unknowns(facts)[0]


def test_a_held_write_lock_names_its_holder() -> None:
    file = DatabaseFile("/jobs.db", write_lock_is_held=True, write_lock_holder="The process with pid 12")

    (finding,) = found(store=file)

    assert finding.problem == "write_lock_held"
    assert finding.sentence.startswith("The process with pid 12 does not let go of the right to write to /jobs.db")


def test_a_read_that_holds_the_log_back_is_a_long_transaction() -> None:
    (finding,) = found(store=DatabaseFile("/jobs.db", held_back_bytes=5_242_880, readers=[31, 32]))

    assert finding.problem == "long_transaction"
    assert "keeps 5.0 MiB of the log out of /jobs.db (pid 31, 32)" in finding.sentence


def test_a_long_transaction_is_told_with_session_age_program_and_first_words() -> None:
    (finding,) = found(store=Server([a_transaction(180_000), a_transaction(9_999)]))

    assert finding.problem == "long_transaction"
    assert finding.what == (
        "Session 4711 (psql), idle in transaction, has had a transaction open for 3 min after "
        "'select * from orders where name = '"
    )
    assert "pg_terminate_backend(4711)" in finding.advice


def test_how_long_is_long_can_be_said() -> None:
    facts = Facts(CURRENT, SAME_TIME, store=Server([a_transaction(50)]))

    assert findings(facts) == []
    assert [finding.problem for finding in findings(facts, long_transaction_ms=50)] == ["long_transaction"]


def test_a_prepared_transaction_is_ended_by_its_name() -> None:
    (finding,) = found(store=Server([a_transaction(60_000, state="prepared", is_prepared=True)]))

    assert "rollback prepared '4711'" in finding.sentence


def test_a_standby_and_a_way_without_notifications_are_found() -> None:
    assert problems(store=Server(is_standby=True)) == ["standby"]
    assert problems(store=Server(hears_notifications=False)) == ["no_notifications"]


def test_a_copy_and_commits_that_do_not_wait_for_the_disk_are_found() -> None:
    assert problems(store=Server(is_copy=True)) == ["copied_database"]
    assert problems(store=Server(commits_wait_for_disk=False)) == ["commits_unsafe"]


@pytest.mark.parametrize(("free_mib", "expected"), [(64, []), (63, ["disk_full"])])
def test_a_disk_with_little_left_is_found(free_mib: int, expected: list[str]) -> None:
    assert problems(store=DatabaseFile("/jobs.db", free_bytes=free_mib * 1_048_576)) == expected


def test_hidden_sessions_are_unknown_and_no_problem() -> None:
    facts = Facts(CURRENT, SAME_TIME, Work(), Server(hidden_sessions=3))

    assert findings(facts) == []
    assert unknowns(facts)[0].startswith(
        "3 sessions of other roles, whose transactions may be open for long, cannot be looked into"
    )


@pytest.mark.parametrize(
    ("worker", "gone", "expected"),
    [
        (a_worker(), (), []),
        (a_worker(seen_ms=NOW - 14_999), (), []),
        (a_worker(seen_ms=NOW - 15_000), (), ["dead_worker"]),
        (a_worker(seen_ms=NOW), ("w-1",), ["dead_worker"]),
        (a_worker(seen_ms=NOW), ("w-2",), []),
        (a_worker("w-2"), (), ["dead_worker"]),
    ],
)
def test_a_worker_is_dead_when_it_is_silent_or_gone(worker: Worker, gone: tuple[str, ...], expected: list[str]) -> None:
    work = Work([worker], [held_by("w-1")])

    assert problems(work, host=Host(gone=gone)) == expected


def test_a_dead_worker_without_leases_is_nobodys_problem() -> None:
    assert problems(Work([a_worker(seen_ms=NOW - 600_000)])) == []


def test_a_dead_workers_live_leases_can_be_revoked_and_its_dead_ones_wait_for_upkeep() -> None:
    live, dead = (
        found(Work([a_worker(seen_ms=NOW - 600_000)], [held_by("w-1", until_ms=until_ms)]))[0]
        for until_ms in (NOW + 300_000, NOW - 300_000)
    )

    assert live.what == "Worker 'w-1' on box (pid 77) was last heard of 10 min ago and holds 2 leases"
    assert live.why == "nobody else may run them for another 5 min"
    assert "ff revoke" in live.advice
    assert dead.why == "they ended at least 5 min ago, and nobody has put them back into the queue"
    assert dead.advice.startswith("start a worker")


@pytest.mark.parametrize(
    ("count", "ids", "why", "advice"),
    [
        (1, ["a"], "nobody else may run it for another 20 s", "to have it run now, run `ff revoke a`, "),
        (2, ["a", "b"], "nobody else may run them for another 20 s", "to have them run now, run `ff revoke a b`, "),
        (
            3,
            ["a", "c"],
            "nobody else may run them for another 20 s",
            "to have them run now, run `ff revoke ID` for each; `ff ls --state active` lists them, ",
        ),
    ],
)
def test_the_leases_of_a_dead_worker_are_named_when_they_are_few(
    count: int, ids: list[str], why: str, advice: str
) -> None:
    held = HeldLeases("default", "w-1", count, NOW, NOW + 20_000, ids)

    (finding,) = found(Work([a_worker()], [held]), host=Host(gone=["w-1"]))

    assert finding.what == (
        "Worker 'w-1' on box (pid 77) has no process any more, was last heard of 5 s ago "
        f"and holds {count} lease{'s' * (count > 1)}"
    )
    assert (finding.why, finding.advice) == (why, f"{advice}and look into that worker's log")


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        (
            HeldWork("default", 1, NOW - 300_000, ["a"]),
            "1 execution of namespace 'default' is held by an operator, for 5 min: nothing of that runs until an "
            "operator ends the hold; when its time has come, run `ff unhold a`.",
        ),
        (
            HeldWork("mail", 3, NOW - 300_000, ["a", "c"]),
            "3 executions of namespace 'mail' are held by an operator, the first one for 5 min: nothing of that runs "
            "until an operator ends the hold; when its time has come, run `ff unhold ID --namespace mail` for each; "
            "`ff ls --state waiting --namespace mail` lists them.",
        ),
        (
            HeldWork("default", 2, None, ["a", "b"]),
            "2 executions of namespace 'default' are held by an operator: nothing of that runs until an operator "
            "ends the hold; when its time has come, run `ff unhold a b`.",
        ),
    ],
)
def test_held_work_is_advice_with_how_to_let_it_go(held: HeldWork, sentence: str) -> None:
    (finding,) = found(Work(held=[held]))

    assert (finding.problem, finding.severity, finding.sentence) == ("work_held", "advice", sentence)


@pytest.mark.parametrize(
    ("waits", "sentence"),
    [
        (
            EndlessWaits("default", 1, NOW - 31 * DAY_MS, ["a"]),
            "1 execution of namespace 'default' has waited for 31 d without a timeout and without a deadline: no timer "
            "ends such a wait, and perhaps everybody has forgotten it; see `ff waiting`; answer, or run `ff cancel "
            "a`; and give such waits a timeout.",
        ),
        (
            EndlessWaits("mail", 3, NOW - 40 * DAY_MS, ["a", "c"]),
            "3 executions of namespace 'mail' have waited for up to 40 d without a timeout and without a deadline: "
            "no timer ends such a wait, and perhaps everybody has forgotten it; see `ff waiting --namespace mail`; "
            "answer, or run `ff cancel ID --namespace mail` for each; `ff ls --state suspended --namespace mail` lists "
            "them; and give such waits a timeout.",
        ),
    ],
)
def test_a_wait_without_an_end_is_advice_with_how_to_end_it(waits: EndlessWaits, sentence: str) -> None:
    (finding,) = found(Work(endless=[waits]))

    assert (finding.problem, finding.severity, finding.sentence) == ("wait_endless", "advice", sentence)


@pytest.mark.parametrize(
    ("stored", "in_environment", "sentence"),
    [
        (0, False, ""),
        (0, True, "The secrets that sign tokens come from the environment of this process."),
        (
            1,
            True,
            "The secrets that sign tokens come from the environment of this process. The database keeps 1 other, which "
            "signs nothing now.",
        ),
        (
            1,
            False,
            "1 secret that signs tokens is kept in the database: everybody who can read its tables or a backup "
            "can make tokens.",
        ),
        (
            2,
            False,
            "2 secrets that sign tokens are kept in the database: everybody who can read its tables or a backup "
            "can make tokens.",
        ),
    ],
)
def test_where_secrets_are_is_said_in_a_sentence(stored: int, in_environment: bool, sentence: str) -> None:
    assert secrets_sentence(stored, in_environment=in_environment) == sentence


@pytest.mark.parametrize(
    ("failures", "sentence"),
    [
        (
            Failures("default", 3, 1),
            "1 flow and 3 executions of namespace 'default' failed in the last 24 hours: nothing tries that again by "
            "itself; see `ff flow ls --state failed` and `ff ls --state failed`, "
            "and `ff show ID` for the reason of one.",
        ),
        (
            Failures("mail", 1, 0),
            "1 execution of namespace 'mail' failed in the last 24 hours: nothing tries that again by itself; see "
            "`ff ls --state failed --namespace mail`, and `ff show ID` for the reason of one.",
        ),
    ],
)
def test_what_failed_within_a_day_is_advice_with_where_to_look(failures: Failures, sentence: str) -> None:
    (finding,) = found(Work(failures=[failures]))

    assert (finding.problem, finding.severity, finding.sentence) == ("work_failed", "advice", sentence)


def test_what_is_overdue_for_long_shows_that_nobody_does_the_upkeep() -> None:
    overdue = [
        Overdue("lease", 4, NOW - 60_001),
        Overdue("delay", 9, NOW - 10_000),
        Overdue("deadline", 1, NOW - 11_000),
        Overdue("acknowledgement", 2, NOW - 11_000),
    ]

    upkeep = found(Work(overdue=overdue))

    assert {finding.problem for finding in upkeep} == {"upkeep_behind"}
    assert [finding.what for finding in upkeep] == [
        "4 leases have been over for up to 60 s",
        "1 execution has been past the deadline for up to 11 s",
        "2 cancelled members of a flow have been without an acknowledgement of its worker for up to 11 s",
    ]


def test_a_lane_is_served_by_a_live_worker_only() -> None:
    silent = a_worker("w-2", lanes=["mail"], seen_ms=NOW - 60_000)

    (finding,) = found(Work([a_worker(), silent], queues=[a_queue(), a_queue("mail")]))

    assert finding.problem == "lane_unserved"
    assert finding.sentence == (
        "3 executions wait in lane 'mail' of namespace 'default' for up to 2 h, and no live worker serves it: "
        "nothing there runs until one does; start a worker with `ff worker --lanes mail`."
    )


def test_a_lane_with_an_evil_name_can_be_pasted_into_a_shell() -> None:
    (finding,) = found(Work(queues=[a_queue("mail; rm -rf /", ["gpu"])]))

    assert finding.advice == "start a worker with `ff worker --lanes 'mail; rm -rf /' --capabilities gpu`"


@pytest.mark.parametrize(
    ("namespace", "advice"),
    [("default", "`ff lanes resume mail`"), ("tenant a", "`ff lanes resume mail --namespace 'tenant a'`")],
)
def test_a_paused_lane_is_resumed_where_it_is(namespace: str, advice: str) -> None:
    queue = Queue(namespace, "mail", (), 1, NOW)

    (finding,) = found(Work(queues=[queue], lanes=[LaneState(namespace, "mail", NOW - 1)]))

    assert finding.problem == "lane_paused"
    assert finding.advice.endswith(advice)


def test_an_orphaned_schedule_is_forgotten_where_it_is() -> None:
    nightly = Definition(
        "tenant", "nightly", "report", b"", b"", Every(60_000), "skip", "default", 0, None, (), ExecutionPolicy(), {}
    )
    long_ago = NOW - 86_400_000

    (finding,) = found(Work(schedules=[Schedule(nightly, long_ago, long_ago, long_ago, long_ago)]))

    assert finding.problem == "schedule_orphaned"
    assert finding.advice.endswith("`ff schedules forget nightly --namespace tenant`")


def test_a_capability_that_no_worker_of_the_lane_has_is_named() -> None:
    work = Work([a_worker(capabilities=["cuda"])], queues=[a_queue(capabilities=["cuda", "a100"], count=1)])

    (finding,) = found(work)

    assert finding.problem == "capability_missing"
    assert "1 execution waits in lane 'default'" in finding.what
    assert finding.advice == "start a worker with `ff worker --lanes default --capabilities cuda,a100`"


def test_another_namespaces_worker_does_not_serve_a_lane() -> None:
    queue = Queue("tenant", "default", (), 1, NOW)

    assert problems(Work([a_worker()], queues=[queue])) == ["lane_unserved"]


@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        (Kept(), ""),
        (
            Kept(12, 1, NOW + 3 * 86_400_000, 1, 0),
            "Of what has ended, 12 executions and 1 flow will be removed when their retention is over, the next one in "
            "3 d; 1 execution is kept for ever, or until `ff purge`.",
        ),
        (
            Kept(1, 0, NOW - 1, 0, 0),
            "Of what has ended, 1 execution will be removed when its retention is over, the next one now.",
        ),
        (Kept(0, 0, None, 2, 3), "Of what has ended, 2 executions and 3 flows are kept for ever, or until `ff purge`."),
    ],
)
def test_how_much_is_kept_is_one_sentence(kept: Kept, sentence: str) -> None:
    assert kept_sentence(kept, NOW) == sentence


# ── limits and budgets ───────────────────────────────────────────────────────────────────────────


def of_gates(**facts: Sequence[object]) -> list[Finding]:
    gates = GateFacts(**facts)  # type: ignore[arg-type]
    return findings(Facts(CURRENT, SAME_TIME, Work(gates=gates)))


HOLDS = Gates((("tenant", "t-7"),), slots=(("tenant", "t-7"),))
TEAM = Budget("default", "team-a", {"usd": 10}, {}, Every(DAY_MS), "company", "pause")
COMPANY = Budget("default", "company", {"usd": 100}, {}, None, None, "cancel")
PERIOD = TEAM.period_at(NOW)
RESERVES = Gates(reservations=(Reservation("team-a", (("team-a", PERIOD), ("company", 0)), {"usd": 2, "tokens": 5}),))


def test_counters_that_leases_explain_are_no_problem() -> None:
    uses = [
        BudgetUse("default", "team-a", PERIOD, reserved={"usd": 2}),
        BudgetUse("default", "company", 0, {}, {"usd": 2}),
    ]

    assert of_gates(leased=[("default", HOLDS)], key_uses=[KeyUse("default", "tenant", "t-7", 1)]) == []
    assert of_gates(leased=[("default", RESERVES)], budgets=[TEAM, COMPANY], budget_uses=uses) == []


@pytest.mark.parametrize(
    ("in_use", "said", "effect"),
    [
        (3, "counts 3 in use, and 1 lease holds a slot of it", "it lets fewer run than its numbers say"),
        (0, "counts 0 in use, and 1 lease holds a slot of it", "it lets more run than its numbers say"),
    ],
)
def test_a_limit_that_counts_otherwise_than_its_leases_is_found(in_use: int, said: str, effect: str) -> None:
    uses = [KeyUse("billing", "tenant", "t-7", in_use)] if in_use else []

    (found,) = of_gates(leased=[("billing", HOLDS)], key_uses=uses)

    assert (found.problem, found.severity, found.why) == ("limit_miscounted", "warning", effect)
    assert found.what == f"Limit tenant[t-7] of namespace 'billing' {said}"
    assert "ff limits show tenant t-7 --namespace billing" in found.advice


def test_a_reservation_without_a_lease_is_found() -> None:
    (found,) = of_gates(budgets=[TEAM], budget_uses=[BudgetUse("default", "team-a", PERIOD, reserved={"usd": 2})])

    assert (found.problem, found.severity) == ("budget_miscounted", "warning")
    assert found.what == "Budget team-a of namespace 'default' counts 2 usd as reserved, and leases have reserved 0"


def test_an_exceeded_budget_is_advice_in_its_own_period_only() -> None:
    now, before = (BudgetUse("default", "team-a", at, {"usd": 12}) for at in (PERIOD, PERIOD - DAY_MS))
    forever = BudgetUse("default", "company", 0, {"usd": 100})

    assert of_gates(budgets=[TEAM], budget_uses=[before]) == []
    team, company = of_gates(budgets=[TEAM, COMPANY], budget_uses=[now, before, forever])

    assert (team.problem, team.severity) == ("budget_exceeded", "advice")
    assert team.what.endswith("is exceeded: 12 of 10 usd are used")
    assert "stops at its next step" in team.why
    assert team.advice.startswith("wait for the next period, which begins in ")
    assert "is cancelled" in company.why
    assert company.advice.startswith("raise it with `ff budgets set`")
