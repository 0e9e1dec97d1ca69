"""The rules import only the standard library and each other."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import chromino

ROOT = Path(__file__).parents[2]


def test_the_rules_need_only_the_standard_library() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    rules = next(contract["source_modules"] for contract in contracts if contract["type"] == "forbidden")
    assert len(rules) > 10
    for module in rules:
        path = Path(chromino.__file__).parents[1] / module.replace(".", "/")
        for file in path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
            for name in imported(file):
                ours = any(name == rule or name.startswith(f"{rule}.") for rule in rules)
                assert ours or name.split(".")[0] in sys.stdlib_module_names, f"{file.name} imports {name}"


def imported(file: Path) -> list[str]:
    """The modules that a file imports."""
    names = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    return names
