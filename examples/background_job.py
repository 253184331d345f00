"""A background job that is retried until it works, submitted and waited for by async code.

Run it: python examples/background_job.py
"""

import asyncio
import json
import tempfile

from flowfabric import Claimed, Engine, ExecutionPolicy, RetryPolicy, open_engine

PATIENT = ExecutionPolicy(retry=RetryPolicy(max_retries=5, initial_delay_ms=100, multiplier=2.0))


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_engine(f"sqlite:///{folder}/jobs.db") as engine:
            worker = asyncio.create_task(work(engine))

            # Submitting twice with the same key is safe: the second time answers with the first one's id.
            payload = json.dumps({"to": "ada@example.com"}).encode()
            job = await engine.create_execution("send_mail", payload, policy=PATIENT, idempotency_key="welcome-ada")
            again = await engine.create_execution("send_mail", payload, policy=PATIENT, idempotency_key="welcome-ada")
            print(f"submitted once: {job.execution_id == again.execution_id}")

            ended = await engine.wait_for_result(job.execution_id, timeout_ms=20_000)
            print(f"{ended.public_state} after {ended.retry_count} retries")
            print(await engine.get_result(job.execution_id))

            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


async def work(engine: Engine) -> None:
    """A worker in its smallest form; it goes on until it is cancelled."""
    while True:
        for claimed in await engine.claim(worker_id="mailer", worker_instance_id="mailer-1", limit=10):
            try:
                result = await send_mail(claimed)
            except ConnectionError as error:
                # The policy decides whether there is another attempt, and when.
                await engine.fail(claimed.lease, code="smtp_down", message=str(error))
            else:
                await engine.complete(claimed.lease, result)
        await asyncio.sleep(0.05)


async def send_mail(claimed: Claimed) -> bytes:
    """The mail server is down for the first two attempts."""
    if claimed.attempt_index < 2:
        print(f"attempt {claimed.attempt_index}: the mail server does not answer")
        raise ConnectionError("no answer from smtp.example.com")
    address = json.loads(claimed.payload)["to"]
    print(f"attempt {claimed.attempt_index}: sent")
    return json.dumps({"sent_to": address}).encode()


if __name__ == "__main__":
    asyncio.run(main())
