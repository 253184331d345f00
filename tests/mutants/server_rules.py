"""Rules about who may do what over HTTP, broken on purpose: the matrix of roles, routes and namespaces finds each."""

from tests.mutants.sought import rule

CALLS = "flowfabric.server.calls"
ACCESS = "tests/server/test_access.py"
NAMESPACES = "byte_for_byte"

SERVER_MUTANTS = [
    rule(
        "a reader may write",
        "flowfabric.wire.access:may",
        'permission == "anyone" or',
        'permission in ("anyone", "submit") or',
        ACCESS,
        "role_may_do_exactly",
        "viewer",
    ),
    rule(
        "every token may manage tokens and secrets",
        f"{CALLS}:_may",
        'needs == "anyone" or',
        'needs in ("anyone", "manage") or',
        ACCESS,
        "role_may_do_exactly",
    ),
    rule(
        "an execution of another namespace is shown",
        "flowfabric.engine.scope:Scoped._find",
        "self._scope is not None and x.namespace != self._scope",
        "False",
        ACCESS,
        NAMESPACES,
    ),
    rule(
        "a flow of another namespace is shown",
        "flowfabric.engine.scope:Scoped._find_flow",
        "self._scope is not None and flow.namespace != self._scope",
        "False",
        ACCESS,
        NAMESPACES,
    ),
    rule(
        "a server forgets to which namespace a token is confined",
        f"{CALLS}:Calls._view_of",
        "self._engine if confined_to is None else self._engine.scoped(confined_to)",
        "self._engine",
        ACCESS,
        NAMESPACES,
    ),
    rule(
        "what somebody else has made is refused as forbidden, which says that it exists",
        f"{CALLS}:Calls._view_for",
        'raise OutOfReach(operation.route.own or "execution")',
        'raise AccessDenied("Somebody else has made this.")',
        ACCESS,
        "submitter_sees",
    ),
    rule(
        "a submitter reaches what others have made",
        f"{CALLS}:_is_within_reach",
        'principal.role != "submitter"',
        "True",
        ACCESS,
        "submitter_sees",
    ),
    rule(
        "a token is good for ever",
        "flowfabric.domain.access:AccessToken.is_alive",
        "ends_at_ms is None or",
        "self.revoked_at_ms is None or",
        ACCESS,
        "token_that_has_expired",
    ),
    rule(
        "a token that was revoked stays good",
        "flowfabric.domain.access:AccessToken.is_alive",
        "ends_at_ms is None or",
        "self.expires_at_ms is None or",
        ACCESS,
        "revoked_token",
    ),
    rule(
        "everybody may act for somebody else",
        f"{CALLS}:Calls._view_for",
        'actor is not None and principal.role != "admin"',
        "False",
        ACCESS,
        "only_an_admin_acts",
    ),
    rule(
        "an approver approves what it has made itself",
        f"{CALLS}:Calls._view_for",
        "view.deciding_as(principal) if decides else view",
        "view",
        ACCESS,
        "approve_what_it_has_made",
    ),
]
