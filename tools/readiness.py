"""What a release needs: nothing left to commit, a new version, and an entry in the changelog."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

_VERSION = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
_VALID = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)((a|b|rc)\d+)?")


def version_of(root: Path) -> str:
    """The version in the checkout, from the only file that contains it."""
    match = _VERSION.search((root / "src" / "chromino" / "version.py").read_text(encoding="utf-8"))
    return match[1] if match else ""


def tag_of(version: str) -> str:
    return f"v{version}"


def tracked(root: Path) -> list[str]:
    """The project's files, as git lists them."""
    return git(root, "ls-files").splitlines()


def reasons_to_wait(root: Path) -> Iterator[str]:
    """Each reason not to release now, and what to do about it."""
    version = version_of(root)
    if not _VALID.fullmatch(version):
        yield f"the version in src/chromino/version.py is {version!r}; write it like 1.2.3, or 1.2.3rc1"
    else:
        yield from _changelog(root, version)
    if not (root / ".git").exists():
        yield "this isn't a git checkout; release from a clone, so that git can tell which files belong to the project"
        return
    if changed := git(root, "status", "--porcelain").splitlines():
        more = f", and {len(changed) - 3} more" if len(changed) > 3 else ""
        yield f"commit these first: {', '.join(line[3:] for line in changed[:3])}{more}"
    if git(root, "tag", "--list", tag_of(version)).strip():
        yield f"the tag {tag_of(version)} exists, so {version} was already released; choose the next version"


def _changelog(root: Path, version: str) -> Iterator[str]:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## {re.escape(version)}\b(.*)$", text, re.MULTILINE)
    if heading is None:
        yield f"CHANGELOG.md has no section '## {version} ({date.today().isoformat()})'; tell people what's new"
        return
    section = text[heading.end() :].partition("\n## ")[0]
    day = re.fullmatch(r" \((\d{4}-\d\d-\d\d)\)", heading[1])
    if day is None or not _is_date(day[1]):
        yield f"CHANGELOG.md has no date for {version}; write '## {version} ({date.today().isoformat()})'"
    if not re.search(r"^- ", section, re.MULTILINE):
        yield f"CHANGELOG.md says nothing about {version}; list what's new"


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def git(root: Path, *arguments: str) -> str:
    """Run a git command and return its output."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, encoding="utf-8", check=True)  # noqa: S607
    return done.stdout
