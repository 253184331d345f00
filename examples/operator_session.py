"""What an operator can do: look, explain, hold, move, revoke, cancel, replay, and read what happened.

Run it: python examples/operator_session.py
"""

import tempfile

from flowfabric import BlockingEngine, Claimed, ExecutionSnapshot, Refused, open_blocking_engine


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_blocking_engine(f"sqlite:///{folder}/ops.db") as engine:
        first, second, third = (
            engine.create_execution("import", f"file {number}".encode(), tags={"team.name": "data"}).execution_id
            for number in (1, 2, 3)
        )

        print("Why is it not running?")
        print(" ", engine.explain(first))

        print("Hold the first, and let the third go before the second:")
        engine.hold(first, reason="the source is being repaired")
        engine.change_priority(third, 100)
        print(" ", engine.explain(first))
        running = claim(engine)
        print("  claimed next:", running.payload.decode())

        print("Take it away from its worker, who can change nothing any more:")
        print(" ", engine.revoke_lease(running.execution_id, reason="the worker misbehaves"))
        try:
            engine.complete(running.lease, b"ok")
        except Refused as refusal:
            print(" ", refusal.code)

        print("Cancel the second, running or not; then think again and replay it:")
        engine.cancel_execution(second, reason="not needed today")
        print(" ", engine.explain(second))
        print(" ", engine.replay_execution(second))

        print("Let the first go, and finish everything:")
        engine.unhold(first)
        for _ in range(3):
            engine.complete(claim(engine).lease, b"ok")

        print("Where everything stands:")
        for x in engine.list_executions(tag=("team.name", "data")).items:
            assert isinstance(x, ExecutionSnapshot)
            print(f"  {x.public_state}, {x.replay_count} replays, {x.interruption_count} interruptions")

        print("What happened to the second, from the log:")
        for event in engine.read_events(execution_id=second).events:
            print(f"  {event.seq}. {event.channel}: {event.event_type}")


def claim(engine: BlockingEngine) -> Claimed:
    (claimed,) = engine.claim(worker_id="importer", worker_instance_id="importer-1")
    return claimed


if __name__ == "__main__":
    main()
