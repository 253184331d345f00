"""An engine over HTTP: for people, for programs, and for workers in any language.

`app(engine)` is an ASGI app; `ff server` runs one. The routes are those of `wire/routes.py`.
"""

from typing import TYPE_CHECKING

from flowfabric.server.application import Application
from flowfabric.server.settings import Settings
from flowfabric.wire.access import Access
from flowfabric.wire.engine import WireEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from flowfabric.domain.health.facts import Facts
    from flowfabric.telemetry.metrics import Metrics

__all__ = ["Access", "Application", "Settings", "app"]

_DEFAULT = Settings()


def app(
    engine: WireEngine,
    *,
    access: Access | None = None,
    settings: Settings = _DEFAULT,
    metrics: "Metrics | None" = None,
    examine: "Callable[[], Facts] | None" = None,
) -> Application:
    """An ASGI app that offers an engine. It may be mounted under any prefix.

    `access` says who may do what. Without it, everybody may do everything: then let nobody else reach the app.
    With `metrics`, those of the engine, /metrics shows them to everyone who may look. `examine` returns the facts that
    /v1/doctor judges: `flowfabric.app.examine` does, for the url of a database. It is called in a thread.
    """
    return Application(engine, access, settings, metrics, examine)
