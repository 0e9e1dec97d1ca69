"""The figures of docs/rules.md: `python -m tests.figures` draws them anew, a test holds them up to date."""

from __future__ import annotations

from pathlib import Path

from chromino import Placement, Table
from chromino.draw import table_svg

FOLDER = Path(__file__).parent.parent / "docs" / "figures"


def figures() -> dict[str, str]:
    """Each figure's name and drawing."""
    kinds = Table.parse("RRR@0,0> BBR@4,0> BRB@8,0> GBR@12,0> P*Y@16,0>")
    example = Table.parse("Y*R@0,0> GRR@1,1> YBR@3,-2v PGR@0,2> YBP@-1,0v")
    clash = Table.parse("PRR@0,0> GRR@0,1>")
    corner = Table.parse("Y*R@0,0> GRR@1,1>")
    wild = Table.parse("GPR@1,-2v BYG@1,2v")
    junior = Table.parse("P*Y@0,0> YGP@3,0> GRY@1,1v Y*B@6,-1v GYG@7,0> BRG@6,2v")
    expert = Table.parse("RRR@0,0> RBB@3,0>")
    return {
        "kinds": table_svg(kinds, title="The five kinds: one color, plain, symmetric, three-color, chameleon"),
        "example": table_svg(example, title="Five tiles, each placed with two contacts or more"),
        "clash": table_svg(clash, wrong=[(0, 1)], title="Forbidden: green lies under purple"),
        "corner": table_svg(
            corner, places=[Placement.parse("YBR@3,-2v")], title="One red square in a corner makes two contacts"
        ),
        "wild": table_svg(
            wild, places=[Placement.parse("G*P@0,1>")], title="The wild center touches red above and blue below"
        ),
        "junior": table_svg(junior, title="Junior: end to end, and chameleons make it branch"),
        "expert": table_svg(expert, places=[Placement.parse("RRB@2,1>")], title="Expert: 2 + 1 + 2 = 5 points"),
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, drawing in figures().items():
        (FOLDER / f"{name}.svg").write_text(drawing, encoding="utf-8")
