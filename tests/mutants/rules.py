"""Rules of flows broken on purpose, with the suite that has to find each."""

from typing import NamedTuple

from tests.simulation.planting import Mutant

FLOWS = "flowfabric.domain.decide.flows"
ENDING = "flowfabric.domain.decide.ending"
JOINS = "flowfabric.domain.joins"

CONFORMANCE = "tests/stores/test_conformance.py"
TABLES = "tests/domain/test_join_tables.py"
"""Every join in every order of ends, against a model."""


class Sought(NamedTuple):
    """A mutant, and who has to find it."""

    mutant: Mutant
    file: str
    """A file of tests."""
    words: tuple[str, ...]
    """Words in the names of the tests that look for it. Of tests for all stores, those of the memory store look."""

    def may_be_found_by(self, test: str) -> bool:
        """Whether a test of the file is to look for it."""
        return all(word in test for word in self.words) and not any(store in test for store in ("sqlite", "postgres"))


def _rule(name: str, where: str, text: str, instead: str, file: str, *words: str) -> Sought:
    return Sought(Mutant(name, where, text, instead), file, words)


FLOW_MUTANTS = [
    # building
    _rule(
        "an edge may close a cycle",
        f"{FLOWS}:_check_acyclic",
        "if edge.downstream == upstream:",
        "if False:",
        CONFORMANCE,
        "cycle",
    ),
    _rule(
        "a member may wait for itself",
        f"{FLOWS}:add_dependency",
        "if edge.upstream == edge.downstream:",
        "if False:",
        CONFORMANCE,
        "reasons_to_refuse",
    ),
    _rule(
        "a member that runs gets another upstream",
        f"{FLOWS}:add_dependency",
        'if child.lifecycle_phase != "runnable":',
        "if False:",
        CONFORMANCE,
        "can_no_longer_wait",
    ),
    _rule(
        "a cancelled flow takes new members",
        f"{FLOWS}:_not_cancelled",
        'if flow.state == "cancelled":',
        "if False:",
        CONFORMANCE,
        "cancelled_flow",
    ),
    _rule(
        "an outdated graph revision is accepted",
        f"{FLOWS}:add_dependency",
        "expected is not None and expected != flow.graph_revision",
        "False",
        CONFORMANCE,
        "stale_revision",
    ),
    _rule(
        "a join changes although it has edges",
        f"{FLOWS}:set_edge_group_policy",
        "if group is not None and group.total:",
        "if False:",
        CONFORMANCE,
        "policy_stands",
    ),
    _rule(
        "a member of another flow can be waited for",
        f"{FLOWS}:_member",
        "if x is None or x.flow_id != flow.flow_id:",
        "if x is None:",
        CONFORMANCE,
        "not_in_its_flow",
    ),
    _rule(
        "a flow is kept for as long as its last member says",
        f"{FLOWS}:_joined",
        "max(known, kept_ms)",
        "kept_ms",
        CONFORMANCE,
        "kept_as_long",
    ),
    _rule(
        "a flow that is over stays so when a member is added",
        f"{ENDING}:count_life",
        'if flow.state in ("completed", "failed")',
        "if False",
        CONFORMANCE,
        "reopens_it",
    ),
    # cancelling and removing
    _rule(
        "a cancel of what is pending cancels what runs",
        f"{FLOWS}:_to_cancel",
        'return [x for x in members if x.lifecycle_phase != "active"]',
        "return members",
        CONFORMANCE,
        "spares_what_runs",
    ),
    _rule(
        "a cancel of the flow only cancels its members",
        f"{FLOWS}:_to_cancel",
        'if command.policy == "flow_only":',
        "if False:",
        CONFORMANCE,
        "whose_members_go_on",
    ),
    _rule(
        "a cancel does not wait for workers",
        f"{FLOWS}:cancel_flow",
        "ws.acks.put(PendingAck(flow.flow_id, x.execution_id, x.lease_expires_at_ms))",
        "pass",
        CONFORMANCE,
        "whom_it_waits_for",
    ),
    _rule(
        "an acknowledgement is waited for again",
        f"{FLOWS}:_settle_ack",
        "ws.acks.remove((flow_id, execution_id))",
        "pass",
        CONFORMANCE,
        "acknowledges_for_its_own",
    ),
    _rule(
        "the acknowledgement of a lost worker is waited for, for ever",
        f"{FLOWS}:forget_overdue_ack",
        "ack.overdue_at_ms > ws.now_ms",
        "True",
        CONFORMANCE,
        "ack",
    ),
    _rule(
        "members that a cancel spares are cancelled as needless",
        f"{FLOWS}:cancel_flow",
        "cascade.closed.clear()",
        "pass",
        CONFORMANCE,
        "policy_spares",
    ),
    # joins
    _rule("one of all upstreams is enough", f"{JOINS}:state_of", "if successes == total:", "if successes:", TABLES),
    _rule(
        "a failed upstream does not make all of them impossible",
        f"{JOINS}:state_of",
        'return "impossible" if losses else "pending"',
        'return "pending"',
        TABLES,
    ),
    _rule("any of them means all of them", f"{JOINS}:state_of", "if successes:", "if successes == total:", TABLES),
    _rule(
        "any of them is impossible with the first failure",
        f"{JOINS}:state_of",
        '"impossible" if losses >= total else "pending"',
        '"impossible" if losses else "pending"',
        TABLES,
    ),
    _rule("a quorum needs one more", f"{JOINS}:state_of", "if successes >= join.k:", "if successes > join.k:", TABLES),
    _rule(
        "a quorum that cannot be reached is waited for",
        f"{JOINS}:state_of",
        '"impossible" if total >= join.k > total - losses else "pending"',
        '"pending"',
        TABLES,
    ),
    _rule(
        "siblings that may run on are cancelled",
        f"{JOINS}:cancels_the_rest",
        'and join.on_satisfied == "cancel_remaining"',
        "",
        TABLES,
    ),
    _rule(
        "siblings that nobody needs run on",
        f"{JOINS}:cancels_the_rest",
        'not isinstance(join, AllOf) and join.on_satisfied == "cancel_remaining"',
        "False",
        TABLES,
    ),
    # ends
    _rule(
        "a sibling that somebody else needs is cancelled",
        f"{ENDING}:Cascade._why_needless",
        "if not child.has_ended:",
        "if False:",
        TABLES,
        "needless",
    ),
    _rule(
        "a join that is impossible skips nobody",
        f"{ENDING}:Cascade._carry_out",
        "elif not child.has_ended:",
        "elif False:",
        TABLES,
    ),
    _rule(
        "a flow ends before its last member",
        f"{ENDING}:count_end",
        "if flow.live_count == 0:",
        "if flow.live_count <= 1:",
        TABLES,
    ),
    _rule(
        "a flow completes although its last member has failed",
        f"{ENDING}:count_end",
        '"failed" if flow.lost_sinks else "completed"',
        '"completed"',
        TABLES,
    ),
    _rule(
        "a failure that other members make good fails the flow",
        f"{ENDING}:count_end",
        'x.terminal_outcome != "success" and not ws.graph.outgoing(x.execution_id)',
        'x.terminal_outcome != "success"',
        TABLES,
    ),
    _rule(
        "a member that is held runs when its upstreams have ended",
        f"{ENDING}:unblock",
        'if child.eligibility_state == "blocked_by_dependencies":',
        "if True:",
        CONFORMANCE,
        "held",
    ),
    _rule(
        "the delay of a member is forgotten when its upstreams have ended",
        f"{ENDING}:unblock",
        "child.delay_until_ms or 0",
        "0",
        CONFORMANCE,
        "delay",
    ),
]

ALL = FLOW_MUTANTS
