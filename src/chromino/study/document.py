"""Writes the answers between markers in a Markdown document, and leaves everything else alone.

    <!-- study: beginning -->
    (the sentences, plots and table that answer the question)
    <!-- /study -->

Between `<!-- study: about -->` and `<!-- /study -->`, the document says what was played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from chromino.draw import Theme, drawing_svg
from chromino.study.answers import Answer, shown
from chromino.study.cells import StudyError
from chromino.study.plan import QUESTIONS, Study
from chromino.study.report import about

_BLOCK = re.compile(r"(<!-- study: ([^\n]*?) -->\n).*?(<!-- /study -->)", re.DOTALL)


def check(text: str) -> None:
    """Raise an error if the document has no blocks, or an unknown one."""
    names = [match[2] for match in _BLOCK.finditer(text)]
    if not names:
        raise StudyError("the document has no blocks to fill: add <!-- study: beginning --> and <!-- /study -->")
    for name in names:
        if name not in (*QUESTIONS, "about"):
            raise StudyError(f"the document has an unknown block {name!r}: use about, {', '.join(QUESTIONS)}")


def filled(text: str, study: Study, seed: int, answers: Iterable[Answer]) -> str:
    """The document with its blocks filled in; blocks that have no answer stay as they are."""
    check(text)
    blocks = {answer.question: block(answer) for answer in answers} | {"about": f"{about(study, seed)}\n"}

    def replaced(match: re.Match[str]) -> str:
        return f"{match[1]}{blocks[match[2]]}{match[3]}" if match[2] in blocks else match[0]

    return _BLOCK.sub(replaced, text)


def block(answer: Answer) -> str:
    """One answer as Markdown."""
    lines = [" ".join(f"**{sentence}**" for sentence in answer.sentences), ""]
    for name, plot in answer.plots.items():
        lines += [f"![{plot.label}](figures/study-{name}.svg)", ""]
    lines += [_row(answer.head), _row(["---", *["--:"] * (len(answer.head) - 1)])]
    lines += [_row(map(shown, row)) for row in answer.rows]
    return "\n".join([*lines, "", f"{answer.note} {answer.games:,} games.", ""])


def _row(entries: Iterable[str]) -> str:
    return f"| {' | '.join(entries)} |"


def write(path: Path, study: Study, seed: int, answers: Iterable[Answer]) -> list[Path]:
    """Fill in a document, draw its plots into the folder `figures` next to it, and return the paths of all files."""
    answers = list(answers)
    text = filled(path.read_text(encoding="utf-8"), study, seed, answers)
    folder = path.parent / "figures"
    folder.mkdir(exist_ok=True)
    written = [path]
    for answer in answers:
        for name, plot in answer.plots.items():
            picture = folder / f"study-{name}.svg"
            picture.write_text(drawing_svg(plot, Theme.AUTO), encoding="utf-8")
            written.append(picture)
    path.write_text(text, encoding="utf-8")
    return written
