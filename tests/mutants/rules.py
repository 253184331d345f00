"""Rules of flows broken on purpose, with the suite that has to find each."""

from tests.mutants.chaos_rules import CHAOS_MUTANTS
from tests.mutants.server_rules import SERVER_MUTANTS
from tests.mutants.sought import rule

FLOWS = "flowfabric.domain.decide.flows"
ENDING = "flowfabric.domain.decide.ending"
JOINS = "flowfabric.domain.joins"

CONFORMANCE = "tests/stores/test_conformance.py"
TABLES = "tests/domain/test_join_tables.py"
"""Every join in every order of ends, against a model."""

FLOW_MUTANTS = [
    # building
    rule(
        "an edge may close a cycle",
        f"{FLOWS}:_check_acyclic",
        "if edge.downstream == upstream:",
        "if False:",
        CONFORMANCE,
        "cycle",
    ),
    rule(
        "a member may wait for itself",
        f"{FLOWS}:add_dependency",
        "if edge.upstream == edge.downstream:",
        "if False:",
        CONFORMANCE,
        "reasons_to_refuse",
    ),
    rule(
        "a member that runs gets another upstream",
        f"{FLOWS}:add_dependency",
        'if child.lifecycle_phase != "runnable":',
        "if False:",
        CONFORMANCE,
        "can_no_longer_wait",
    ),
    rule(
        "a cancelled flow takes new members",
        f"{FLOWS}:_not_cancelled",
        'if flow.state == "cancelled":',
        "if False:",
        CONFORMANCE,
        "cancelled_flow",
    ),
    rule(
        "an outdated graph revision is accepted",
        f"{FLOWS}:add_dependency",
        "expected is not None and expected != flow.graph_revision",
        "False",
        CONFORMANCE,
        "stale_revision",
    ),
    rule(
        "a join changes although it has edges",
        f"{FLOWS}:set_edge_group_policy",
        "if group is not None and group.total:",
        "if False:",
        CONFORMANCE,
        "policy_stands",
    ),
    rule(
        "a member of another flow can be waited for",
        f"{FLOWS}:_member",
        "if x is None or x.flow_id != flow.flow_id:",
        "if x is None:",
        CONFORMANCE,
        "not_in_its_flow",
    ),
    rule(
        "a flow is kept for as long as its last member says",
        f"{FLOWS}:_joined",
        "max(known, kept_ms)",
        "kept_ms",
        CONFORMANCE,
        "kept_as_long",
    ),
    rule(
        "a flow that is over stays so when a member is added",
        f"{ENDING}:count_life",
        'if flow.state in ("completed", "failed")',
        "if False",
        CONFORMANCE,
        "reopens_it",
    ),
    # cancelling and removing
    rule(
        "a cancel of what is pending cancels what runs",
        f"{FLOWS}:_to_cancel",
        'return [x for x in members if x.lifecycle_phase != "active"]',
        "return members",
        CONFORMANCE,
        "spares_what_runs",
    ),
    rule(
        "a cancel of the flow only cancels its members",
        f"{FLOWS}:_to_cancel",
        'if command.policy == "flow_only":',
        "if False:",
        CONFORMANCE,
        "whose_members_go_on",
    ),
    rule(
        "a cancel does not wait for workers",
        f"{FLOWS}:cancel_flow",
        "ws.acks.put(PendingAck(flow.flow_id, x.execution_id, x.lease_expires_at_ms))",
        "pass",
        CONFORMANCE,
        "whom_it_waits_for",
    ),
    rule(
        "an acknowledgement is waited for again",
        f"{FLOWS}:_settle_ack",
        "ws.acks.remove((flow_id, execution_id))",
        "pass",
        CONFORMANCE,
        "acknowledges_for_its_own",
    ),
    rule(
        "the acknowledgement of a lost worker is waited for, for ever",
        f"{FLOWS}:forget_overdue_ack",
        "ack.overdue_at_ms > ws.now_ms",
        "True",
        CONFORMANCE,
        "ack",
    ),
    rule(
        "members that a cancel spares are cancelled as needless",
        f"{FLOWS}:cancel_flow",
        "cascade.closed.clear()",
        "pass",
        CONFORMANCE,
        "policy_spares",
    ),
    # joins
    rule("one of all upstreams is enough", f"{JOINS}:state_of", "if successes == total:", "if successes:", TABLES),
    rule(
        "a failed upstream does not make all of them impossible",
        f"{JOINS}:state_of",
        'return "impossible" if losses else "pending"',
        'return "pending"',
        TABLES,
    ),
    rule("any of them means all of them", f"{JOINS}:state_of", "if successes:", "if successes == total:", TABLES),
    rule(
        "any of them is impossible with the first failure",
        f"{JOINS}:state_of",
        '"impossible" if losses >= total else "pending"',
        '"impossible" if losses else "pending"',
        TABLES,
    ),
    rule("a quorum needs one more", f"{JOINS}:state_of", "if successes >= join.k:", "if successes > join.k:", TABLES),
    rule(
        "a quorum that cannot be reached is waited for",
        f"{JOINS}:state_of",
        '"impossible" if total >= join.k > total - losses else "pending"',
        '"pending"',
        TABLES,
    ),
    rule(
        "siblings that may run on are cancelled",
        f"{JOINS}:cancels_the_rest",
        'and join.on_satisfied == "cancel_remaining"',
        "",
        TABLES,
    ),
    rule(
        "siblings that nobody needs run on",
        f"{JOINS}:cancels_the_rest",
        'not isinstance(join, AllOf) and join.on_satisfied == "cancel_remaining"',
        "False",
        TABLES,
    ),
    # ends
    rule(
        "a sibling that somebody else needs is cancelled",
        f"{ENDING}:Cascade._why_needless",
        "if not child.has_ended:",
        "if False:",
        TABLES,
        "needless",
    ),
    rule(
        "a join that is impossible skips nobody",
        f"{ENDING}:Cascade._carry_out",
        "elif not child.has_ended:",
        "elif False:",
        TABLES,
    ),
    rule(
        "a flow ends before its last member",
        f"{ENDING}:count_end",
        "if flow.live_count == 0:",
        "if flow.live_count <= 1:",
        TABLES,
    ),
    rule(
        "a flow completes although its last member has failed",
        f"{ENDING}:count_end",
        '"failed" if flow.lost_sinks else "completed"',
        '"completed"',
        TABLES,
    ),
    rule(
        "a failure that other members make good fails the flow",
        f"{ENDING}:count_end",
        'x.terminal_outcome != "success" and not ws.graph.outgoing(x.execution_id)',
        'x.terminal_outcome != "success"',
        TABLES,
    ),
    rule(
        "a member that is held runs when its upstreams have ended",
        f"{ENDING}:unblock",
        'if child.eligibility_state == "blocked_by_dependencies":',
        "if True:",
        CONFORMANCE,
        "held",
    ),
    rule(
        "the delay of a member is forgotten when its upstreams have ended",
        f"{ENDING}:unblock",
        "child.delay_until_ms or 0",
        "0",
        CONFORMANCE,
        "delay",
    ),
]

ALL = [*FLOW_MUTANTS, *SERVER_MUTANTS, *CHAOS_MUTANTS]
