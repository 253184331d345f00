"""The OpenAPI document, made from the route table and from the types that the code uses."""

import re
from typing import Any, Final, cast

import msgspec
from msgspec.structs import fields

from flowfabric.domain.access import ROLES
from flowfabric.domain.errors import InvalidInput
from flowfabric.wire import several
from flowfabric.wire.access import MAY
from flowfabric.wire.operations import OPERATIONS, STREAMED, Operation
from flowfabric.wire.problems import MEDIA_TYPE, Problem, status_of

JSON: Final = "application/json"
_REF: Final = "#/components/schemas/{name}"
_NAMES: Final = re.compile(r"#/components/schemas/(\w+)")

STATUS_TEXTS: Final = {
    "200": "Done.",
    "204": "The request has waited as long as it may, and there is nothing yet. Send it again.",
    "400": "The request can never work as it is.",
    "401": "The token is missing or not good.",
    "403": "The token does not allow this.",
    "404": "There is no such thing, or it belongs to another namespace.",
    "405": "This address does not take this method.",
    "408": "The body took too long to arrive.",
    "409": "Understood and declined. Nothing was changed.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "This server does not answer for this host.",
    "429": "There are too many requests. Retry-After says how long to wait.",
    "500": "The server has failed, or what is stored is damaged.",
    "503": "The store cannot be reached, or is busy. Retry-After says how long to wait.",
}
_HEADERS: Final = {
    "Accept-Payload": {
        "name": "Accept-Payload",
        "in": "header",
        "description": "How bytes are written in the answer. json: as JSON where they are JSON.",
        "schema": {"enum": ["base64", "json"]},
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A command that comes again with the same key is not done again. It gets the first answer.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 256},
    },
    "traceparent": {
        "name": "traceparent",
        "in": "header",
        "description": "The span that sends the command, as the W3C writes it. Submits and signals belong to it.",
        "schema": {"type": "string"},
    },
}
_ALWAYS: Final = ("400", "421", "500", "503")
SEVERAL: Final = "several_calls"
"""The name of the one request that calls no method itself."""
SEVERAL_STATUSES: Final = ("200", *_ALWAYS, "401", "408", "413", "415", "429")


def document(version: str, prefix: str = "") -> dict[str, Any]:
    """The whole document. `prefix` is where the app is mounted."""
    wires = [wire for operation in OPERATIONS.values() for wire in (operation.request, operation.answer.wire)]
    wires += [Problem, *(operation.request for operation in STREAMED.values())]
    wires += [operation.answer.wire for operation in STREAMED.values()]
    wires += [list[several.OneCall], list[several.OneAnswer]]
    schemas, components = msgspec.json.schema_components(wires, schema_hook=_any, ref_template=_REF)
    by_wire = dict(zip(map(repr, wires), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS.values():
        paths.setdefault(operation.route.path, {})[operation.route.verb.lower()] = _operation(
            operation, by_wire, components
        )
    paths[several.PATH] = {"post": _several(by_wire)}
    used = _without_unused(components, paths)
    made = {
        "openapi": "3.1.0",
        "info": {
            "title": "FlowFabric",
            "version": version,
            "description": "Durable executions. Times are integer milliseconds. Bytes are an object with base64, or "
            "json where they are JSON. A lease is one text: send it back as it came. Send an Idempotency-Key with a "
            "command, and it is done once.",
        },
        "servers": [{"url": prefix or "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": used,
            "parameters": _HEADERS,
            "links": _components_of_links(),
            "responses": {
                status: {"description": text, "content": {MEDIA_TYPE: {"schema": by_wire[repr(Problem)]}}}
                for status, text in STATUS_TEXTS.items()
                if status >= "400"
            },
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "An access token, fft_…"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "ff_session",
                    "description": "Where the address has a port, the name ends with it: ff_session_7433.",
                },
            },
        },
    }
    return cast("dict[str, Any]", msgspec.json.decode(msgspec.json.encode(made)))


def _several(by_wire: dict[str, Any]) -> dict[str, Any]:
    """Several calls in one request."""
    answers = {"description": "One answer for each call, in order.", "content": {}}
    answers["content"] = {JSON: {"schema": by_wire[repr(list[several.OneAnswer])]}}
    return {
        "operationId": SEVERAL,
        "tags": ["calls"],
        "summary": "Send several calls in one request. Each is decided and answered by itself.",
        "description": "A call is the path and the body of a command: a POST that changes something and does not wait. "
        "Each needs the role of its own route. All of them get the namespace and the actor of the request.",
        "parameters": [{"$ref": "#/components/parameters/Accept-Payload"}],
        "requestBody": {"required": True, "content": {JSON: {"schema": by_wire[repr(list[several.OneCall])]}}},
        "responses": {
            "200": answers,
            **{status: {"$ref": f"#/components/responses/{status}"} for status in SEVERAL_STATUSES if status != "200"},
        },
    }


def _any(kind: type) -> dict[str, Any]:
    """The schema of a value that may be anything."""
    assert kind is object, kind
    return {"description": "Any value."}


def _operation(operation: Operation, by_wire: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    route = operation.route
    who = [role for role in ROLES if route.needs == "anyone" or route.needs in MAY[role]]
    eased = "" if route.eased is None else f" With `{route.eased[0]}`, {route.eased[1]} is enough."
    own = "" if route.own is None else f" A submitter may do it to its own {route.own}s."
    roles = "Anyone may do it." if route.needs == "anyone" else f"Roles: {', '.join(who)}.{eased}{own}"
    codes = sorted({error.code for error in operation.refusals} | {InvalidInput.code})
    made: dict[str, Any] = {
        "operationId": route.method,
        "tags": [route.path.split("/")[2].partition(":")[0]],
        "summary": operation.summary.replace("\n", " "),
        "description": "\n\n".join(filter(None, (operation.description, roles, f"Codes: {', '.join(codes)}."))),
        "parameters": [*_in_path(operation), *_in_query(operation, components), *_in_headers(operation)],
        "responses": _responses(operation, by_wire),
    }
    if operation.takes_body:
        made["requestBody"] = {
            "required": any(field.required for field in fields(operation.request)),
            "content": {JSON: {"schema": by_wire[repr(operation.request)]}},
        }
    if route.needs == "anyone":
        made["security"] = []
    return made


def _in_path(operation: Operation) -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in operation.in_path]


def _in_query(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    if operation.takes_body:
        if operation.route.method != "operate":
            return []
        return [
            {
                "name": "dry_run",
                "in": "query",
                "description": "true: count, and change nothing.",
                "schema": {"enum": ["true", "false"]},
            }
        ]
    found: dict[str, Any] = {}
    streamed = STREAMED.get(operation.route.streams or "")
    for each in (operation, *([] if streamed is None else [streamed])):
        schema = components[each.request.__name__]
        for name, field in schema["properties"].items():
            found[name] = {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": field}
            if "null" in str(field.get("anyOf", "")):
                plain = [one for one in field["anyOf"] if one != {"type": "null"}]
                found[name]["schema"] = plain[0] if len(plain) == 1 else {"anyOf": plain}
    return list(found.values())


def _in_headers(operation: Operation) -> list[dict[str, Any]]:
    names = ["Accept-Payload", *(["Idempotency-Key", "traceparent"] if operation.has_command_id else [])]
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def statuses(operation: Operation) -> list[str]:
    """Every status that a route may answer."""
    route = operation.route
    found = {"200", *_ALWAYS, *(str(status_of(error)) for error in operation.refusals)}
    if route.needs != "anyone":
        found |= {"401", "403", "429"}
    if operation.takes_body:
        found |= {"408", "409", "413", "415"}
    if route.absent is not None or operation.in_path:
        found.add("404")
    if route.waits is not None:
        found.add("204")
    if "lease" in operation.request.__struct_fields__:
        found |= {"404", "409"}
    return sorted(found)


def _responses(operation: Operation, by_wire: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for status in statuses(operation):
        if status == "204":
            found[status] = {"description": STATUS_TEXTS[status]}
        elif status != "200":
            found[status] = {"$ref": f"#/components/responses/{status}"}
        else:
            content = {JSON: {"schema": _present(operation, by_wire)}}
            if operation.route.streams is not None:
                content["text/event-stream"] = {"schema": {"type": "string"}}
            found[status] = {"description": STATUS_TEXTS[status], "content": content, **_links(operation)}
    return found


_MAKERS: Final = {"create_execution": "execution_id", "add_execution": "execution_id", "create_flow": "flow_id"}
"""The methods whose answer has the id of what they have made."""


def _links(operation: Operation) -> dict[str, Any]:
    """What can be done with that which was just made."""
    made = _MAKERS.get(operation.route.method)
    if made is None:
        return {}
    names = [each.route.method for each in OPERATIONS.values() if each.in_path == (made,)]
    return {"links": {name: {"$ref": f"#/components/links/{name}"} for name in names}}


def _components_of_links() -> dict[str, Any]:
    return {
        each.route.method: {
            "operationId": each.route.method,
            "parameters": {each.in_path[0]: f"$response.body#/{each.in_path[0]}"},
        }
        for each in OPERATIONS.values()
        if each.in_path in (("execution_id",), ("flow_id",))
    }


def _present(operation: Operation, by_wire: dict[str, Any]) -> dict[str, Any]:
    """The schema of an answer. Where None is answered by 404, it is no answer."""
    schema: dict[str, Any] = by_wire[repr(operation.answer.wire)]
    if operation.route.method == "operate":
        count = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
        return {"anyOf": [schema, count]}
    if operation.route.absent is None:
        return schema
    return next(each for each in schema["anyOf"] if each != {"type": "null"})


def _without_unused(components: dict[str, Any], paths: dict[str, Any]) -> dict[str, Any]:
    """The schemas that something refers to. Queries have become parameters."""
    wanted: set[str] = set()
    more = {Problem.__name__, *_NAMES.findall(str(paths))}
    while more:
        wanted |= more
        more = {found for name in more for found in _NAMES.findall(str(components[name]))} - wanted
    return {name: components[name] for name in sorted(wanted)}
