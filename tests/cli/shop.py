"""A program for `ff` to find."""

from datetime import date

from flowfabric import Context, FlowFabric, Retry

ff = FlowFabric("sqlite:///shop.db", namespace="shop")


@ff.task(lane="sums", retry=Retry(max_retries=3), tags={"team.name": "sums"})
def double(ctx: Context, number: int, on: date | None = None) -> int:
    return 2 * number
