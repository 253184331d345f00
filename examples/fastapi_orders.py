"""A small web shop: an order and its payment are stored in one transaction, or not at all.

The order is a row of the shop's own table, the payment a task, and both are in the same database. A request that fails
after the submit leaves neither. A worker runs beside the app, on its event loop; it might as well be another process.

Run it: pip install fastapi httpx sqlalchemy; python examples/fastapi_orders.py
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import httpx
from fastapi import Depends, FastAPI, HTTPException
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from flowfabric import Context, FlowFabric, Retry

folder = tempfile.TemporaryDirectory()
ff = FlowFabric(f"sqlite:///{folder.name}/shop.db")  # PostgreSQL: the same url for both, postgresql+psycopg:// below
database = create_engine(f"sqlite:///{folder.name}/shop.db")


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"

    id: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[str]
    payment: Mapped[str]


@ff.task(retry=Retry(max_retries=5))
def charge(ctx: Context, order_id: int, cents: int) -> str:
    return f"order {order_id}: {cents} cents paid"


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        yield
        stop.set()
        await worker


app = FastAPI(lifespan=lifespan)


def session() -> Iterator[Session]:
    """A session whose transaction is committed when the request went well, and rolled back when it did not."""
    with Session(database) as session, ff.transaction(session):
        yield session


# With the scope of the function it is committed before the response is sent, and not after.
OneTransaction = Annotated[Session, Depends(session, scope="function")]


@app.post("/orders", status_code=201)
def place(item: str, cents: int, session: OneTransaction) -> dict[str, Any]:
    order = Order(item=item, payment="")
    session.add(order)
    session.flush()  # now it has an id
    order.payment = charge.options(conn=session).submit_sync(order_id=order.id, cents=cents).execution_id
    if item == "umbrella":
        raise HTTPException(409, "sold out")  # too late to say so, and harmless: neither order nor payment is left
    return {"order": order.id}


@app.get("/orders/{order_id}")
def look(order_id: int) -> dict[str, Any]:
    with Session(database) as session:
        order = session.get_one(Order, order_id)
        return {"item": order.item, "payment": order.payment, "state": charge.handle(order.payment).state_sync()}


async def main() -> None:
    with database.connect() as connection, ff.transaction(connection):
        Base.metadata.create_all(connection)
    transport = httpx.ASGITransport(app)
    async with lifespan(app), httpx.AsyncClient(transport=transport, base_url="http://shop") as client:
        placed = await client.post("/orders", params={"item": "pen", "cents": 250})
        refused = await client.post("/orders", params={"item": "umbrella", "cents": 1990})
        print(f"pen: {placed.status_code}; umbrella: {refused.status_code}, {refused.json()['detail']}")

        order = (await client.get(f"/orders/{placed.json()['order']}")).json()
        print(await charge.handle(order["payment"]).result(timeout=30))

        with Session(database) as session:
            orders = list(session.scalars(select(Order.item)))
        payments = (await (await ff.engine()).list_executions()).items
        print(f"orders: {', '.join(orders)}; payments: {len(payments)}")
    database.dispose()


if __name__ == "__main__":
    with folder:
        asyncio.run(main())
