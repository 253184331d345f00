"""What goes over HTTP: the shape that server and client share. Neither of them sees the engine itself.

    methods/      protocols with the signatures of all methods of `Engine`, written by `tools/blocking_stub.py`
    engine.py     `WireEngine`: all of them together, with `scoped`, `acting_as`, `saying`, and what is followed
    routes.py     the route table: one row for each method, with its verb, its path and what its caller must be allowed
    shapes.py     how a type looks as JSON, and the way there and back (`Data`, `Codec`, `shape_of`)
    leases.py     a lease as one sealed text
    problems.py   errors as `application/problem+json`, and back (`problem_of`, `error_of`)
    operations.py requests and answers of each route, for both sides (`OPERATIONS["claim"]`)
    access.py     roles, what each may do, and what a server asks to learn who sends a request (`Access`)

A client makes a request from a call, and the answer of the call from a response:

    operation = OPERATIONS["complete"]
    request = operation.sent((lease, b"42"), {}, codec)      # verb, path, query, body, idempotency_key
    answer = operation.answer_in(response_body, codec)        # 200
    raise error_of(json.decode(response_body, type=Problem))  # any status from 400 on

- 204 answers a request that has waited for so long as it may (`Route.waits`): send it again, or raise TimeoutError.
- 404 with `absent` answers a read that returns None (`Route.absent`).
- `Authorization: Bearer fft_…` says who asks. `FF-Namespace` is `scoped`, `FF-Actor` is `acting_as`, `Idempotency-Key`
  is `command_id`, `Accept-Payload: json` asks for bytes as JSON where they are JSON.
- An argument that is left out is left out of the body, so the default of the engine holds.
- `subscribe` and `follow_stream` are Server-Sent Events of the routes `read_events` and `read_stream`, asked for with
  `Accept: text/event-stream`. Each has the item as JSON in `data`, and the cursor after it in `id`. `Last-Event-ID`
  goes on from there. The stream of an execution ends with an event `end`, whose data is `{"closed_reason": …}`.
- `create_from` has no route: its fields are the arguments of `create_execution`.
"""
