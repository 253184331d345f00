"""Servers and clients broken on purpose. Each has to be found by a world in which answers are lost on the way."""

from tests.simulation.planting import Mutant

SERVER_MUTANTS = [
    Mutant(
        "a client sends a command again as another command",
        "flowfabric.client.engine:RemoteEngine._call",
        'keywords = {**keywords, "command_id": uuid4().hex}',
        "pass",
        seed=342,
        more_seeds=(341, 447),
    ),
    Mutant(
        "a server does not read the idempotency key",
        "flowfabric.server.calls:Calls.arguments",
        "if operation.has_command_id and",
        "if False and",
        seed=42,
        more_seeds=(44,),
    ),
    Mutant(
        "a reader of events begins anew after a cut",
        "flowfabric.client.following:Feed._read_on",
        "self._line.listen(self._written(self.cursor))",
        "self._line.listen(self._written(None))",
        seed=46,
        more_seeds=(47,),
    ),
    Mutant(
        "answers to calls that were sent together are mixed up",
        "flowfabric.client.gathering:Gatherer._outcomes",
        "for each in answers]",
        "for each in reversed(answers)]",
        seed=142,
        more_seeds=(149,),
    ),
    Mutant(
        "calls that are sent together lose their keys",
        "flowfabric.client.gathering:Gatherer._outcomes",
        "call.idempotency_key, call.traceparent",
        "None, call.traceparent",
        seed=6,
        parts=("submit_once",) * 14 + ("slow_network",) * 2 + ("lose_http_answers",) * 3,
    ),
]
