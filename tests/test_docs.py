"""What the documents claim is true: their Python runs, and their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_in_documents_runs(document: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, document.name, "exec"), {})  # noqa: S102


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_in_documents_lead_to_files(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize(("file", "fence", "lines"), [("awkward.py", "py", 20), ("contacts.mjs", "js", 25)])
def test_the_bots_in_the_documents_are_those_that_the_tests_play_with(file: str, fence: str, lines: int) -> None:
    text = (ROOT / "examples" / "bots" / file).read_text(encoding="utf-8")
    assert f"```{fence}\n{text}```" in (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= lines
