"""What people copy to deploy: images, compose file, manifests and units can be read, and name what `ff` has."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from configparser import RawConfigParser
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import kubernetes_validate
import pytest
import yaml

from flowfabric.cli.program import ff as program
from flowfabric.runtime.durations import milliseconds

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "deploying.md"
MANIFESTS = sorted((ROOT / "docs" / "kubernetes").glob("*.yaml"))
UNITS = sorted((ROOT / "docs" / "systemd").glob("*.service"))
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
OUR_USER = 10001


class Manifest(NamedTuple):
    file: Path
    resource: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.resource['kind']} {self.resource['metadata']['name']}"

    @property
    def pod(self) -> dict[str, Any]:
        """What its pods are made of; empty, if it has none."""
        pod: dict[str, Any] = self.resource.get("spec", {}).get("template", {}).get("spec", {})
        return pod


ALL = [Manifest(file, each) for file in MANIFESTS for each in yaml.safe_load_all(file.read_text())]
WITH_PODS = [manifest for manifest in ALL if manifest.pod]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every call of `ff` that is written somewhere, as words."""
    recipe = (ROOT / "Containerfile").read_text()
    yield "Containerfile", json.loads(re.findall(r"^CMD (.+)$", recipe, re.MULTILINE)[0])
    for name, service in COMPOSE["services"].items():
        if service["image"] == "flowfabric":
            yield f"compose {name}", service["command"]
    for manifest in WITH_PODS:
        for container in manifest.pod["containers"]:
            if "args" in container:
                yield manifest.name, container["args"]
    for unit in UNITS:
        yield unit.name, shlex.split(settings(unit)["Service"]["ExecStart"])[1:]
    for line in re.findall(r"(?:^|\bflowfabric |/bin/|migrate )ff (.+)$", PAGE.read_text(), re.MULTILINE):
        yield f"deploying.md: ff {line}", shlex.split(line, comments=True)


def settings(unit: Path) -> RawConfigParser:
    """A unit, in which the last of several lines of a name counts."""
    read = RawConfigParser(strict=False)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string(unit.read_text())
    return read


COMMANDS = dict(commands())


@pytest.mark.parametrize("where", COMMANDS)
def test_every_command_has_only_options_that_ff_has(where: str) -> None:
    program.parse_args(COMMANDS[where], exit_on_error=False, print_error=False)


# The oldest version that is tried has a pause before the end of a container; the newest is the newest that is known.
@pytest.mark.parametrize("version", ["1.30", kubernetes_validate.latest_version()])
@pytest.mark.parametrize("manifest", ALL, ids=lambda manifest: manifest.name)
def test_kubernetes_accepts_the_manifest(manifest: Manifest, version: str) -> None:
    kubernetes_validate.validate(manifest.resource, version, strict=True)


def test_a_manifest_with_a_name_that_kubernetes_does_not_know_is_noticed() -> None:
    misspelt = {**ALL[0].resource, "specification": {}}

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(misspelt, "1.30", strict=True)


@pytest.mark.parametrize("manifest", WITH_PODS, ids=lambda manifest: manifest.name)
def test_no_pod_may_more_than_it_needs(manifest: Manifest) -> None:
    pod = manifest.pod

    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == OUR_USER
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False  # Or a service named flowfabric would set FLOWFABRIC_PORT.
    for container in pod["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_selectors_find_the_pods_that_they_mean() -> None:
    labels = [each.resource["spec"]["template"]["metadata"]["labels"] for each in WITH_PODS]
    selectors = []
    for manifest in ALL:
        selector = manifest.resource.get("spec", {}).get("selector")
        if selector:
            selectors.append(selector.get("matchLabels", selector))

    assert len(selectors) == 6
    assert all(any(selector.items() <= pod.items() for pod in labels) for selector in selectors)


def test_every_secret_that_is_asked_for_is_in_the_example_of_a_secret() -> None:
    (secret,) = [manifest.resource for manifest in ALL if manifest.resource["kind"] == "Secret"]
    asked = {
        (variable["valueFrom"]["secretKeyRef"]["name"], variable["valueFrom"]["secretKeyRef"]["key"])
        for manifest in WITH_PODS
        for container in manifest.pod["containers"]
        for variable in container["env"]
        if "secretKeyRef" in variable.get("valueFrom", {})
    }

    assert asked == {(secret["metadata"]["name"], key) for key in secret["stringData"]}
    assert all("CHANGE-ME" in value for value in secret["stringData"].values())


def test_the_server_lets_workers_and_probes_ask_for_it_by_the_names_that_they_use() -> None:
    (server,) = [each for each in WITH_PODS if each.name == "Deployment flowfabric-server"]
    (workers,) = [each for each in WITH_PODS if each.file.stem == "workers-over-http"]
    (service,) = [each.resource for each in ALL if each.resource["kind"] == "Service"]
    words = COMMANDS[server.name]

    allowed = {name for option, name in pairwise(words) if option == "--allowed-host"}
    asked = urlsplit(workers.pod["containers"][0]["env"][0]["value"])
    probes = [value for name, value in server.pod["containers"][0].items() if name.endswith("Probe")]

    assert service["metadata"]["name"] == asked.hostname
    assert service["spec"]["ports"][0]["port"] == asked.port
    assert asked.hostname in allowed
    # Without the header a probe asks for the address of the pod, which nobody can know beforehand.
    assert [probe["httpGet"]["httpHeaders"] for probe in probes] == [[{"name": "Host", "value": "localhost"}]] * 3


def test_our_image_has_the_version_of_the_project() -> None:
    images = [container["image"] for manifest in WITH_PODS for container in manifest.pod["containers"]]

    ours = [image for image in images if "/flowfabric:" in image]
    assert ours == [f"registry.example.org/flowfabric:{VERSION}"] * 2


def test_a_worker_is_killed_only_after_its_grace() -> None:
    graces = {}
    for where, words in COMMANDS.items():
        if words[0] == "worker" and not where.startswith("deploying.md"):
            grace = words[words.index("--grace") + 1] if "--grace" in words else "30s"
            graces[where] = milliseconds("--grace", grace) / 1000

    killed_after = {
        **{each.name: each.pod.get("terminationGracePeriodSeconds", 30) for each in WITH_PODS},
        **{unit.name: int(settings(unit)["Service"].get("TimeoutStopSec", "90")) for unit in UNITS},
        "compose worker": int(COMPOSE["services"]["worker"]["stop_grace_period"].removesuffix("s")),
    }
    assert len(graces) == 3
    assert all(killed_after[where] >= grace + 10 for where, grace in graces.items())


def test_the_compose_file_waits_for_the_schema_and_shows_the_server_to_this_machine_only() -> None:
    services = COMPOSE["services"]

    assert services.keys() == {"postgres", "migrate", "server", "worker"}
    for name in ("server", "worker"):
        assert services[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    assert services["server"]["ports"] == ["127.0.0.1:7433:7433"]
    assert "ports" not in services["postgres"]
    assert services["worker"]["deploy"] == {"replicas": 2}
    # It has no port, so the health check of the image would fail.
    assert services["worker"]["healthcheck"] == services["migrate"]["healthcheck"] == {"disable": True}
    program_folder = re.fullmatch(r"\$\{APP:-\./(.+)\}:/app:ro", services["worker"]["volumes"][0])
    assert program_folder is not None
    assert (ROOT / program_folder[1] / "app.py").is_file()


def test_no_password_is_written_anywhere() -> None:
    written = "".join(file.read_text() for file in [ROOT / "compose.yaml", *MANIFESTS, *UNITS])

    assert set(re.findall(r"://\w+:([^@\n]*)@", written)) == {"CHANGE-ME"}
    assert COMPOSE["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
