"""What goes wrong between a program and its server: it is away, it is another one, it does not answer."""

import logging
import os
import ssl
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from flowfabric import (
    AccessDenied,
    EngineError,
    InvalidInput,
    NotFound,
    StoreUnavailable,
    open_blocking_engine,
)
from flowfabric.app import name_of, open_engine_pair
from flowfabric.client import calling
from tests.client.scripted_server import answer, scripted
from tests.http_server import serving
from tests.runtime.working import run

PROBLEM = "application/problem+json"


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is away is asked again soon."""
    monkeypatch.setattr(calling, "PAUSE_S", (0.01, 0.02))


@pytest.fixture
def impatient(brisk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stays away is soon given up."""
    monkeypatch.setattr(calling, "AWAY_S_MAX", 0.2)


def refusal_at(url: str, **options: str) -> EngineError:
    with open_blocking_engine(url, **options) as engine, pytest.raises(EngineError) as caught:
        engine.server_time_ms()
    return caught.value


# ── a server that is away ────────────────────────────────────────────────────────────────────────


def test_a_server_that_is_away_is_asked_again_and_then_the_caller_is_told(
    impatient: None, caplog: pytest.LogCaptureFixture
) -> None:
    with scripted(lambda _: None) as server:
        error = refusal_at(server.url)

    assert isinstance(error, StoreUnavailable)
    assert not error.is_final
    assert error.retryable
    assert "could not be reached" in str(error)
    assert len(server.requests) > 2
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        "the server is away, and is asked again until it answers: it has ended the connection without an answer"
    ]


def test_a_write_whose_answer_is_lost_is_sent_again_under_the_same_key(brisk: None) -> None:
    answers = iter([None, None, answer(200, b'{"type":"Created","execution_id":"x","public_state":"waiting"}')])
    with scripted(lambda _: next(answers)) as server, open_blocking_engine(server.url) as engine:
        engine.create_execution("job", b"payload")

    keys = {line for sent in server.requests for line in sent.split(b"\r\n") if line.startswith(b"idempotency-key")}
    assert len(server.requests) == 3
    assert len(set(server.requests)) == len(keys) == 1


def test_a_proxy_without_its_server_is_a_server_that_is_away(brisk: None) -> None:
    answers = iter([answer(502, b"<html>", "text/html"), answer(504), answer(200, b"7")])
    with scripted(lambda _: next(answers)) as server, open_blocking_engine(server.url) as engine:
        assert engine.server_time_ms() == 7


def test_a_kept_connection_that_the_server_has_closed_is_no_trouble() -> None:
    asked: list[bytes] = []

    def script(request: bytes) -> bytes | None:
        asked.append(request)
        return None if len(asked) == 2 else answer(200, b"7")

    with scripted(script) as server, open_blocking_engine(server.url) as engine:
        assert [engine.server_time_ms() for _ in range(2)] == [7, 7]

    assert server.connections == 2


def test_an_error_of_the_engine_is_not_asked_again() -> None:
    problem = b'{"type":"urn:flowfabric:problem:not_found","title":"","status":404,"detail":"There is no job.",'
    problem += b'"code":"not_found","entity":"execution"}'
    with scripted(lambda _: answer(404, problem, PROBLEM)) as server:
        error = refusal_at(server.url)

    assert isinstance(error, NotFound)
    assert (str(error), error.entity) == ("There is no job.", "execution")
    assert len(server.requests) == 1


# ── the wrong server ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (answer(404, b"not here", "text/plain"), "There is no FlowFabric server at"),
        (answer(301, b"", "text/html"), "There is no FlowFabric server at"),
        (answer(200, b"<html>", "text/html"), "There is no FlowFabric server at"),
        (answer(200, b'{"another":"type"}'), "the same release on both sides"),
        (answer(400, b"{}", PROBLEM), "the same release on both sides"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "does not speak HTTP/1.1"),
    ],
)
def test_what_is_no_server_of_ours_is_named(said: bytes, sentence: str) -> None:
    with scripted(lambda _: said) as server:
        error = refusal_at(server.url)

    assert isinstance(error, InvalidInput)
    assert sentence in str(error)
    assert len(server.requests) == 1


def test_a_wrong_token_and_a_missing_one_are_told_apart_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(lambda _: answer(401, b"{}", PROBLEM)) as server:
        missing, wrong = refusal_at(server.url), refusal_at(server.url, token="fft_ab_secret")
        monkeypatch.setenv("FLOWFABRIC_TOKEN", "fft_cd_secret")
        from_environment = refusal_at(server.url)

    assert all(isinstance(error, AccessDenied) for error in (missing, wrong, from_environment))
    assert "needs an access token" in str(missing)
    assert "does not know the access token" in str(wrong)
    assert "secret" not in f"{missing} {wrong} {from_environment}"
    bearers = [line for sent in server.requests for line in sent.split(b"\r\n") if line.startswith(b"authorization")]
    assert bearers == [b"authorization: Bearer fft_ab_secret", b"authorization: Bearer fft_cd_secret"]


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "ümlaut", 7])
def test_what_is_no_token_is_refused(token: object) -> None:
    with pytest.raises(InvalidInput, match="token is the access token"), open_blocking_engine("http://x", token=token):  # type: ignore[arg-type]
        pass


def test_a_token_is_only_for_a_server() -> None:
    with pytest.raises(InvalidInput, match="token= is for a server"), open_blocking_engine("memory://", token="x"):
        pass


@pytest.mark.parametrize("url", ["http://", "https:///path", "http://host:port", "http://host?x=1", "http://ho st"])
def test_a_url_that_names_no_server_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="names no server"), open_blocking_engine(url):
        pass


def test_a_url_with_a_password_is_refused_and_not_shown() -> None:
    with pytest.raises(InvalidInput) as caught, open_blocking_engine("http://ann:secret@host"):
        pass

    assert "token=" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert name_of("https://host:7433/ff/") == "the server https://host:7433/ff"


# ── encryption ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", f"{folder}/pem", "-out", f"{folder}/crt", "-days", "1", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "pem").read_text() + (folder / "crt").read_text())
    return both


def test_a_certificate_of_an_unknown_authority_is_refused_and_a_known_one_is_not(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with scripted(lambda _: answer(200, b"7")) as server:
        server.encrypt(context)
        url = server.url.replace("http:", "https:")
        error = refusal_at(url)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with open_blocking_engine(url) as engine:
            assert engine.server_time_ms() == 7

    assert isinstance(error, InvalidInput)
    assert "certificate" in str(error)
    assert "SSL_CERT_FILE" in str(error)


def test_a_server_without_encryption_is_named() -> None:
    with scripted(lambda _: answer(200, b"7")) as server:
        error = refusal_at(server.url.replace("http:", "https:"))

    assert isinstance(error, InvalidInput)
    assert "does not speak TLS" in str(error)


# ── closing, and processes ───────────────────────────────────────────────────────────────────────


def test_a_closed_engine_refuses_and_lets_nobody_wait() -> None:
    with serving() as served:
        with open_blocking_engine(served.url) as engine:
            execution_id = engine.create_execution("job").execution_id
            told: list[BaseException] = []

            def wait() -> None:
                try:
                    engine.wait_for_result(execution_id)
                except StoreUnavailable as error:
                    told.append(error)

            waiting = threading.Thread(target=wait)
            waiting.start()
        waiting.join(10)
        with pytest.raises(StoreUnavailable) as caught:
            engine.server_time_ms()

    assert [error.is_final for error in told] == [True]  # type: ignore[attr-defined]
    assert caught.value.is_final


def test_a_forked_child_opens_a_connection_of_its_own() -> None:
    with scripted(lambda _: answer(200, b"7")) as server, open_blocking_engine(server.url) as engine:
        assert engine.server_time_ms() == 7
        child = os.fork()
        if child == 0:
            os._exit(engine.server_time_ms())
        _, status = os.waitpid(child, 0)
        assert engine.server_time_ms() == 7

    assert os.waitstatus_to_exitcode(status) == 7
    assert server.connections == 2


def test_several_event_loops_share_one_engine() -> None:
    with serving() as served, ExitStack() as stack:
        engine = open_engine_pair(stack, served.url).engine
        ids = [run(lambda: engine.create_execution("job")).execution_id for _ in range(2)]

    assert len(set(ids)) == 2


def test_nothing_of_it_is_imported_by_a_program_that_does_not_use_it() -> None:
    program = "import sys, flowfabric; flowfabric.FlowFabric; print([name for name in sys.modules if 'wire' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
