"""The page's files as they're sent: small, and without comments."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath

import pytest

from chromino.server.http.assets import read_assets, without_comments

_IMPORT = re.compile(r'^(?:import|export)\b[^;(]*?"(\.{1,2}/[^"]+)"', re.MULTILINE)
_LINKED = re.compile(r'(?:href|src)="/((?:css|fonts|js)/[^"]+)"')


@pytest.mark.parametrize(
    ("code", "sent"),
    [
        (b"/** Says it. */\nsay();\n", b"\nsay();\n"),
        (b"/**\n * Two lines.\n */\nsay();\n", b"\n\n\nsay();\n"),
        (b"  // Why.\n  say(); // At once.\n", b"\n  say(); // At once.\n"),
        (b"/** @type {A} */ (one).go();\n/** Next. */\n", b"/** @type {A} */ (one).go();\n\n"),
        (b'const a = "/* no */";\nconst b = "// no";\n', b'const a = "/* no */";\nconst b = "// no";\n'),
        (b"a {\n  /* Why. */\n  color: red;\n}\n", b"a {\n\n  color: red;\n}\n"),
        (b"a {} /* After. */\n", b"a {} /* After. */\n"),
    ],
)
def test_only_comments_on_their_own_lines_are_stripped(code: bytes, sent: bytes) -> None:
    assert without_comments(code) == sent


def test_no_script_has_a_multiline_template() -> None:
    """Inside a template, a line that starts like a comment would be lost."""
    scripts = {path: asset.content.decode() for path, asset in read_assets().items() if path.endswith(".js")}
    for path, script in scripts.items():
        for line in script.splitlines():
            assert line.count("`") % 2 == 0, f"{path}: a multiline template: {line}"


def test_the_first_view_of_a_game_is_light() -> None:
    """At most 150 kB with fonts: everything that the page links, everything its scripts import, and one language."""
    assets = read_assets()
    wanted = {
        "index.html",
        "lang/en.json",
        "js/game/game_page.js",
        *_LINKED.findall(assets["index.html"].content.decode()),
    }
    waiting = [path for path in wanted if path.endswith(".js")]
    while waiting:
        path = waiting.pop()
        for name in _IMPORT.findall(assets[path].content.decode()):
            imported = normpath(join(dirname(path), name))
            if imported not in wanted:
                wanted.add(imported)
                waiting.append(imported)
    assert len(wanted) > 80
    assert sum(len(assets[path].compressed) for path in wanted) <= 150_000
