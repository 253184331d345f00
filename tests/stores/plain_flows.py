"""Flows whose members are plain, with what is asked of them."""

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from flowfabric import Claimed, ExecutionPolicy
from flowfabric.domain import inputs
from flowfabric.domain.commands import Claim, Complete, CreateExecution, CreateFlow, NewEdge, SubmitFlow
from flowfabric.domain.ids import FlowId, flow_partition, make_execution_id
from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.policies import DEFAULT_POLICY

KEPT = [DEFAULT_POLICY, ExecutionPolicy(retention_ms=0), ExecutionPolicy(retention_ms=9_000)]
"""Policies that are plain."""


def a_chain(
    number: int,
    length: int = 3,
    *,
    passes: str | None = "before",
    policy: ExecutionPolicy = DEFAULT_POLICY,
    join: Join | None = None,
    across: bool = False,
) -> SubmitFlow:
    """Members that wait for each other, one after the other. `across`: the last one waits for all others."""
    flow_id = FlowId(f"00000000-0000-7000-8000-{number:012x}")
    keys = [
        make_execution_id(flow_partition(flow_id), f"{number:08x}-0000-7000-8000-{at:012x}") for at in range(length)
    ]
    nodes = tuple(
        (
            f"n{at}",
            CreateExecution(key, False, "mail", b"x", "post", "default", 0, None, None, None, 1000, (), policy, {}),
        )
        for at, key in enumerate(keys)
    )
    between = list(pairwise(keys)) if not across else [(key, keys[-1]) for key in keys[:-1]]
    edges = tuple(NewEdge(f"e{at}", one, other, passes) for at, (one, other) in enumerate(between))
    joins = () if join is None else ((keys[-1], join),)
    return SubmitFlow(CreateFlow(flow_id, False, "order", "default", {}), nodes, edges, joins)


def a_claim(limit: int = 10, *, ttl_ms: int = 30_000) -> Claim:
    return Claim("w", "w-1", ("post",), "default", frozenset(), limit, ttl_ms, "m1")


def claimed_in(answer: Outcome) -> list[Claimed]:
    assert isinstance(answer, list)
    return [each for each in answer if isinstance(each, Claimed)]


def a_completion(of: Claimed, result: bytes | None = b"result") -> Complete:
    return Complete(inputs.fence(of.lease), result)


def a_graph(number: int, nodes: int, edges: Sequence[tuple[int, int]], *, joins: Mapping[int, Join] = {}) -> SubmitFlow:
    """A flow with edges from places to places. Its members differ in everything in which plain members can differ."""
    chain = a_chain(number, nodes)
    keys = [creation.execution_id for _, creation in chain.nodes]
    members = tuple(
        (
            name,
            replace(
                creation,
                kind=f"kind {at % 2}",
                lane=f"lane {at % 3}",
                payload=b"\0'\xff" * at,
                priority=at % 3 - 1,
                policy=ExecutionPolicy(retention_ms=1_000 * (at % 3)),
            ),
        )
        for at, (name, creation) in enumerate(chain.nodes)
    )
    linked = tuple(
        NewEdge(f'e"{at}', keys[one], keys[other], None if at % 3 else 'a "name"')
        for at, (one, other) in enumerate(edges)
    )
    flow = replace(chain.flow, tags={"it's": 'a "tag"'})
    return SubmitFlow(flow, members, linked, tuple((keys[at], join) for at, join in joins.items()))


GRAPHS = {
    "one member": (1, (), {}),
    "a chain": (4, ((0, 1), (1, 2), (2, 3)), {}),
    "side by side": (3, (), {}),
    "a fan": (6, ((0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)), {}),
    "backwards": (3, ((2, 1), (1, 0)), {}),
    "any of two": (3, ((0, 2), (1, 2)), {2: AnyOf()}),
    "two of three": (4, ((0, 3), (1, 3), (2, 3)), {3: Quorum(2, "let_run")}),
    "a join without edges": (2, (), {1: AnyOf()}),
}
"""By name, how many members there are, which edges, and which joins."""


def a_random_graph(number: int, seed: int) -> SubmitFlow:
    """Some members, edges from earlier to later ones, some of them twice, and joins of all kinds."""
    chance = random.Random(seed)
    nodes = chance.randint(1, 12)
    edges = [tuple(sorted(chance.sample(range(nodes), 2))) for _ in range(chance.randint(0, 20))] if nodes > 1 else []
    wanted = (AllOf(), AnyOf(), AnyOf("let_run"), Quorum(1), Quorum(3, "let_run"))
    joins = {at: chance.choice(wanted) for at in range(nodes) if chance.random() < 0.4}
    return a_graph(number, nodes, edges, joins=joins)  # type: ignore[arg-type]


def as_if_given(flow: SubmitFlow) -> SubmitFlow:
    """The same flow with an id that a caller has chosen: the rules decide it."""
    return replace(flow, flow=replace(flow.flow, id_was_given=True))
