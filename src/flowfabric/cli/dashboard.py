"""`ff dashboard`."""

import logging
import os
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from flowfabric.cli.server import Serving, needs_server, serve
from flowfabric.cli.target import Program, Target, existing

if TYPE_CHECKING:
    from collections.abc import Callable


def dashboard(
    *,
    store: Annotated[
        str, Parameter(help="The database, such as sqlite:///shop.db. Without it, that of the program.")
    ] = "",
    app: Program = "",
    port: Annotated[int, Parameter(help="The port on loopback to listen on. 0: any free one.")] = 0,
    no_browser: Annotated[bool, Parameter(help="Only print the link, and open no browser.")] = False,
) -> None:
    """Show the database in a browser, until Ctrl-C. Only the person with the printed link gets in, and only once."""
    from flowfabric.runtime.logs import set_up

    set_up("WARNING", "text")
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    with needs_server():
        from flowfabric.server.serving import Listening, allowed_hosts
        from flowfabric.server.settings import Settings
    listening = Listening(port=port, grace_s=1)
    settings = Settings(allowed_hosts=allowed_hosts(listening, ()))
    url = existing(Target(url=store, app=app).place(), may_be_made=True)
    serve(lambda: Serving(url, listening, settings).run_for_one(None if no_browser else _opener()))


def _opener() -> "Callable[[str], object] | None":
    """What opens an address in a browser, without waiting for it. None: there is no screen to show it on."""
    import threading
    import webbrowser

    # Without a screen, `webbrowser` would start one for terminals, which takes the terminal away.
    if sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return None
    return lambda address: threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
