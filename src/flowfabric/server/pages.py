"""Pages for people: what a waitpoint asks, and what the API offers. Plain HTML, without scripts."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec

from flowfabric.domain.approvals import CHOICES, decision
from flowfabric.domain.errors import EngineError, InvalidInput, InvalidToken
from flowfabric.domain.wait_snapshots import WaitpointSnapshot
from flowfabric.server.dashboard import HTML
from flowfabric.server.messages import HttpError, Request, Response
from flowfabric.server.settings import Settings
from flowfabric.wire.engine import WireEngine

FORM: Final = "application/x-www-form-urlencoded"
FORM_BYTES_MAX: Final = 64 * 1024
NOTE_CHARS_MAX: Final = 2_000


def page(title: str, prefix: str, *parts: str, status: int = 200) -> Response:
    """A page. The parts are HTML: whatever comes from others was escaped before."""
    body = "\n".join(parts)
    text = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f'<link rel="stylesheet" href="{escape(prefix)}/static/style.css"></head>\n'
        f"<body><main>\n<h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )
    return Response(status, text.encode(), HTML)


# ── a waitpoint ──────────────────────────────────────────────────────────────────────────────────


async def show_waitpoint(engine: WireEngine, token: str, prefix: str) -> Response:
    """What the waitpoint asks, with a button for each choice. Nothing changes."""
    try:
        waitpoint = await engine.describe_token(token)
    except EngineError as error:
        return _refused(error, prefix)
    if waitpoint.state != "open":
        return page("Closed", prefix, "<p>This question is closed. No answer is taken any more.</p>")
    return page(_title(waitpoint), prefix, _about(waitpoint.about), _form(waitpoint))


async def decide(request: Request, engine: WireEngine, token: str, prefix: str, settings: Settings) -> Response:
    """Send the decision of a form as a signal. The same decision, sent again, counts once."""
    body = await request.body(FORM_BYTES_MAX, settings.body_s)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise HttpError(415, "no_form", f"A decision is a form: send Content-Type: {FORM}.")
    try:
        fields = dict(parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=10))
    except ValueError:
        raise InvalidInput("The form is not UTF-8, or it has more than 10 fields.") from None
    try:
        waitpoint = await engine.describe_token(token)
        choice, value = decision(_choice_in(fields, waitpoint), fields.get("note", "")[:NOTE_CHARS_MAX])
        await engine.signal_by_token(
            token,
            msgspec.json.encode(value),
            name=choice,
            source=fields.get("by", "")[:128].strip(),
            idempotency_key=f"page:{waitpoint.token_fingerprint}:{choice}",
        )
    except EngineError as error:
        return _refused(error, prefix)
    return page("Thank you", prefix, f"<p>Your answer <strong>{escape(choice)}</strong> has been sent.</p>")


def _choice_in(fields: Mapping[str, str], waitpoint: WaitpointSnapshot) -> str:
    choice = fields.get("choice", "")
    if choice not in _choices(waitpoint):
        raise InvalidInput("Choose one of the answers on the page.")
    return choice


def _refused(error: EngineError, prefix: str) -> Response:
    if isinstance(error, InvalidToken):
        return page("Not found", prefix, "<p>This link is not valid. Ask for a new one.</p>", status=404)
    if error.retryable:
        return page("Not now", prefix, "<p>The store cannot be reached. Try again in a minute.</p>", status=503)
    status = 400 if isinstance(error, InvalidInput) else 409
    return page("Not done", prefix, f"<p>{escape(str(error))}</p>", status=status)


def _title(waitpoint: WaitpointSnapshot) -> str:
    title = waitpoint.about.get("title")
    return title if isinstance(title, str) and title else waitpoint.key


def _choices(waitpoint: WaitpointSnapshot) -> tuple[str, ...]:
    given = waitpoint.about.get("choices")
    if isinstance(given, list) and given and all(isinstance(each, str) for each in given):
        return tuple(given)
    return CHOICES


def _about(about: Mapping[str, object]) -> str:
    rows = [
        f"<dt>{escape(name)}</dt><dd>{escape(_text_of(value))}</dd>"
        for name, value in about.items()
        if name not in ("title", "choices", "approvers", "sources")
    ]
    return f"<dl>{''.join(rows)}</dl>" if rows else ""


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _form(waitpoint: WaitpointSnapshot) -> str:
    buttons = "".join(
        f'<button name="choice" value="{escape(each)}">{escape(each)}</button>' for each in _choices(waitpoint)
    )
    return (
        '<form method="post"><label>Your name <input name="by" maxlength="128" autocomplete="name"></label>'
        f'<label>A note <textarea name="note" maxlength="{NOTE_CHARS_MAX}" rows="3"></textarea></label>'
        f'<div class="choices">{buttons}</div></form>'
    )


# ── the API ──────────────────────────────────────────────────────────────────────────────────────


def docs(document: Mapping[str, Any], prefix: str) -> Response:
    """The OpenAPI document as a page to read."""
    routes = [(path, verb, each) for path, verbs in document["paths"].items() for verb, each in verbs.items()]
    tags = list(dict.fromkeys(each["tags"][0] for _, _, each in routes))
    contents = " · ".join(f'<a href="#{escape(tag)}">{escape(tag)}</a>' for tag in tags)
    parts = [
        f"<p>Version {escape(document['info']['version'])}. {escape(document['info']['description'])} "
        f'The same for programs: <a href="{escape(prefix)}/v1/openapi.json">openapi.json</a>.</p>',
        f"<nav>{contents}</nav>",
    ]
    for tag in tags:
        parts.append(f'<h2 id="{escape(tag)}">{escape(tag)}</h2>')
        parts += [_route(path, verb, each) for path, verb, each in routes if each["tags"][0] == tag]
    parts.append('<h2 id="types">types</h2>')
    parts += [_schema(name, schema) for name, schema in document["components"]["schemas"].items()]
    return page("FlowFabric API", prefix, *parts)


def _route(path: str, verb: str, operation: Mapping[str, Any]) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    rows = [
        f"<li><code>{escape(each['name'])}</code> in {escape(each['in'])}</li>"
        for each in operation["parameters"]
        if "name" in each
    ]
    texts = "".join(f"<p>{escape(text)}</p>" for text in operation["description"].split("\n\n") if text)
    return (
        f'<details id="{escape(operation["operationId"])}"><summary><code>{verb.upper()} {escape(path)}</code> '
        f"{escape(operation['summary'])}</summary>{texts}<ul>{''.join(rows)}</ul>"
        f"{'' if body is None else f'<p>Body: {_type(body)}</p>'}<p>Answer: {_type(answer)}</p></details>"
    )


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    rows = [f"<li><code>{escape(field)}</code>: {_type(each)}</li>" for field, each in schema["properties"].items()]
    return (
        f'<details id="type-{escape(name)}"><summary><code>{escape(name)}</code> '
        f"{escape(schema.get('description', ''))}</summary><ul>{''.join(rows)}</ul></details>"
    )


def _type(schema: Mapping[str, Any]) -> str:
    """A type in words, with a link where it has a name."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#type-{escape(name)}">{escape(name)}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return _listed(schema.get("enum") or [schema["const"]])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items') or {})}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))


def _listed(values: Iterable[object]) -> str:
    return ", ".join(f"<code>{escape(str(value))}</code>" for value in values)
