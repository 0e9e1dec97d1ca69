"""A study as a single HTML file with sentences, plots and tables. It's readable anywhere, and loads nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from chromino.draw import Theme, drawing_svg
from chromino.draw.shapes import Drawing
from chromino.study.answers import Answer, Entry, shown
from chromino.study.cells import rules_text
from chromino.study.plan import Study
from chromino.version import __version__

_STYLE = """
:root { color-scheme: light dark; --bg: #F4F0E8; --ink: #22202A; --muted: #57525F; --line: #CDC5B5; --accent: #53218A }
@media (prefers-color-scheme: dark) {
  :root { --bg: #171A21; --ink: #F0EEF5; --muted: #B6B2C3; --line: #3A4150; --accent: #C9ABF7 }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 58rem; padding: 2rem 1rem 4rem; background: var(--bg); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 3rem 0 .5rem }
a { color: var(--accent) }
p { max-width: 46rem }
.lead { font-size: 1.1rem }
.note, .about { color: var(--muted); font-size: .9rem }
nav ul { padding-left: 1.2rem }
figure { margin: 1.25rem 0 }
figure img { display: block; width: 100%; max-width: 36rem; height: auto }
figcaption { color: var(--muted); font-size: .9rem; margin-top: .25rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line) }
th { font-weight: 600; vertical-align: bottom }
th:first-child { text-align: left; padding-left: 0 }
tbody th { font-weight: 400 }
@media print { body { max-width: none } .scroll { overflow: visible } }
"""


def report_html(study: Study, seed: int, answers: Iterable[Answer]) -> str:
    """The whole page."""
    answers = list(answers)
    contents = "".join(f'<li><a href="#{answer.question}">{escape(answer.title)}</a></li>' for answer in answers)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A study of Chromino</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>A study of Chromino</h1>
<p class="about">{escape(about(study, seed))}</p>
<nav aria-label="Questions"><ul>{contents}</ul></nav>
</header>
<main>
{"".join(map(_section, answers))}
</main>
</body>
</html>
"""


def about(study: Study, seed: int) -> str:
    """What was played, and how to read the results."""
    return (
        f"Except where noted, the bot is {study.bot} and the rules are {rules_text(study.rules)}. Seed {seed}, "
        f"chromino {__version__}. Intervals (after ± or in parentheses) are 95% confidence intervals."
    )


def _section(answer: Answer) -> str:
    lead = _escaped(" ".join(answer.sentences))
    figures = "".join(map(_figure, answer.plots.values()))
    return f"""<section aria-labelledby="{answer.question}">
<h2 id="{answer.question}">{escape(answer.title)}</h2>
<p class="lead">{lead}</p>
{figures}
<div class="scroll" tabindex="0" role="group" aria-label="Table: {escape(answer.title)}">{_table(answer)}</div>
<p class="note">{escape(answer.note)} {answer.games:,} games.</p>
</section>
"""


def _escaped(text: str) -> str:
    """Escape text, and allow no line breaks around ±."""
    return escape(text).replace(" ± ", "\u00a0±\u00a0")


def _figure(plot: Drawing) -> str:
    # Each plot is an image of its own, so that texture names in one can't collide with those in another.
    data = b64encode(drawing_svg(plot, Theme.AUTO).encode()).decode()
    return (
        f'<figure><img src="data:image/svg+xml;base64,{data}" width="{plot.width:g}" height="{plot.height:g}" '
        f'alt="{escape(alt_text(plot))}"><figcaption>{escape(plot.label)}.</figcaption></figure>'
    )


def alt_text(plot: Drawing) -> str:
    """The plot's alternative text. The numbers are in the table, so they aren't repeated here."""
    return f"Plot: {plot.label}. The numbers are in the table."


def _table(answer: Answer) -> str:
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in answer.head)
    rows = "".join(f"<tr>{_cells(row)}</tr>" for row in answer.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(row: tuple[Entry, ...]) -> str:
    first, *others = (escape(shown(entry)) for entry in row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{entry}</td>" for entry in others)
