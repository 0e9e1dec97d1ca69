"""The project's documents, and their blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))

_FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of code."""

    document: Path
    line: int
    """The line where the block begins."""
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"

    @property
    def earlier(self) -> tuple[Block, ...]:
        """The blocks in the same language before this one in its document."""
        return tuple(
            block
            for block in blocks()
            if (block.document, block.language) == (self.document, self.language) and block.line < self.line
        )


@cache
def blocks() -> tuple[Block, ...]:
    """All blocks in all documents."""
    return tuple(block for document in DOCUMENTS for block in _blocks(document))


def of(*languages: str) -> list[Block]:
    """The blocks in these languages."""
    return [block for block in blocks() if block.language in languages]


def _blocks(document: Path) -> Iterator[Block]:
    text = document.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        indent = found[1]
        lines = (line.removeprefix(indent) for line in found[3].splitlines(keepends=True))
        yield Block(document, text.count("\n", 0, found.start()) + 1, found[2].strip(), "".join(lines))
