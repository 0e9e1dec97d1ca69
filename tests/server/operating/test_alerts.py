"""The alert rules in deploy/ use metrics, labels and codes that a server really exports."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from chromino.server.problems import PROBLEMS
from tests.server.sites.serving import METRICS, Client, Server

DEPLOY = Path(__file__).parents[3] / "deploy"
OF_PROMETHEUS = {"up"}


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def exported(tmp_path: Path) -> dict[str, set[str]]:
    """The names of all metrics that a server exports after some use, each with its labels."""
    with Server(tmp_path / "db.sqlite", options=METRICS) as server:
        client = Client(server.url)
        with client.open(client.new_game()) as page:
            page.play_on(3)
        client.get("/api/nothing")
        text = server.metrics
    # Counters with labels appear once something has been counted, but their names are there from the start.
    found = {f"{name}_total": set[str]() for name in re.findall(r"# TYPE (\w+)_total counter", text)}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? ", text, re.MULTILINE):
        found.setdefault(name, set()).update(re.findall(r"(\w+)=", labels))
    return found


def test_every_metric_and_label_is_exported(tmp_path: Path) -> None:
    known = exported(tmp_path)
    for rule in rules():
        names = set(re.findall(r"\b(up|chromino_\w+)\b", rule["expr"]))
        assert names, rule
        assert names - OF_PROMETHEUS <= known.keys(), rule["alert"]
        assert {"summary"} == rule["annotations"].keys()
    assert known["chromino_refusals_total"] == {"code"}
    assert "le" in known["chromino_action_seconds_bucket"]


def test_every_code_exists() -> None:
    for rule in rules():
        for codes in re.findall(r'code=~?"([^"]+)"', rule["expr"]):
            assert set(codes.split("|")) <= PROBLEMS.keys(), rule["alert"]


@pytest.mark.long
def test_prometheus_reads_the_rules_and_they_fire_when_they_should() -> None:
    for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
        result = subprocess.run(["promtool", *command], cwd=DEPLOY, capture_output=True, text=True, check=False)  # noqa: S607
        assert result.returncode == 0, result.stdout + result.stderr
