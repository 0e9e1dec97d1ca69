"""What `make release` checks before and after it builds. A real release takes minutes."""

from __future__ import annotations

import io
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from chromino import __version__
from tests.project.documents import ROOT
from tools.packing import Packed, problems_with
from tools.readiness import git, reasons_to_wait, version_of
from tools.release import Failed, next_steps, run
from tools.wheel_trial import CHECKOUT_TESTS, TESTS

CHANGELOG = "# Changelog\n\n## 1.2.3 (2027-01-31)\n\n- Tiles shine.\n\n## 1.2.2 (2027-01-01)\n\n- Older.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small project that's ready to release."""
    write(tmp_path, "src/chromino/version.py", '"""Here."""\n\n__version__ = "1.2.3"\n')
    write(tmp_path, "src/chromino/bots/kernel/_kernel.pyx", "")
    write(tmp_path, "src/chromino/web/index.html", "<!doctype html>")
    write(tmp_path, "docs/screenshots/home.png", "")
    write(tmp_path, "CHANGELOG.md", CHANGELOG)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--message", "Add it")


def test_a_clean_checkout_with_a_new_version_is_ready(checkout: Path) -> None:
    assert version_of(checkout) == "1.2.3"
    assert list(reasons_to_wait(checkout)) == []


def test_uncommitted_files_are_named(checkout: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt", "d.txt", "CHANGELOG.md"):
        write(checkout, name, CHANGELOG)
    write(checkout, "CHANGELOG.md", CHANGELOG + "\n")
    (reason,) = reasons_to_wait(checkout)
    assert reason == "commit these first: CHANGELOG.md, a.txt, b.txt, and 2 more"


def test_a_version_can_be_released_only_once(checkout: Path) -> None:
    git(checkout, "tag", "v1.2.3")
    (reason,) = reasons_to_wait(checkout)
    assert "the tag v1.2.3 exists" in reason


@pytest.mark.parametrize(
    ("changelog", "reason"),
    [
        ("# Changelog\n", "no section '## 1.2.3 ("),
        (CHANGELOG.replace("2027-01-31", "unreleased"), "no date for 1.2.3"),
        (CHANGELOG.replace("2027-01-31", "2027-13-31"), "no date for 1.2.3"),
        (CHANGELOG.replace("- Tiles shine.", ""), "says nothing about 1.2.3"),
        (CHANGELOG.replace("1.2.3", "1.2.30"), "no section '## 1.2.3 ("),
    ],
)
def test_the_changelog_must_mention_the_version(checkout: Path, changelog: str, reason: str) -> None:
    write(checkout, "CHANGELOG.md", changelog)
    commit(checkout)
    (found,) = reasons_to_wait(checkout)
    assert reason in found


@pytest.mark.parametrize("version", ["1.2", "v1.2.3", "1.02.3", "next", ""])
def test_a_version_has_three_numbers(checkout: Path, version: str) -> None:
    write(checkout, "src/chromino/version.py", f'__version__ = "{version}"\n')
    commit(checkout)
    (reason,) = reasons_to_wait(checkout)
    assert "write it like 1.2.3" in reason


def test_without_a_history_there_is_no_release(tmp_path: Path) -> None:
    write(tmp_path, "src/chromino/version.py", '__version__ = "1.2.3"\n')
    write(tmp_path, "CHANGELOG.md", CHANGELOG)
    (reason,) = reasons_to_wait(tmp_path)
    assert "this isn't a git checkout" in reason


def packed(folder: Path, source: Iterable[str], with_kernel: Iterable[str], without: Iterable[str]) -> Packed:
    """Archives with empty files of these names."""
    found = Packed(folder / "c.tar.gz", folder / "with.whl", folder / "without.whl")
    with tarfile.open(found.source, "w:gz") as archive:
        for name in source:
            archive.addfile(tarfile.TarInfo(f"chromino-1.2.3/{name}"), io.BytesIO())
    for wheel, names in ((found.with_kernel, with_kernel), (found.without_kernel, without)):
        with zipfile.ZipFile(wheel, "w") as archive_of_wheel:
            for name in names:
                archive_of_wheel.writestr(name, "")
    return found


def test_files_missing_from_an_archive_are_found(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("dist")
    inside = ["chromino/version.py", "chromino/web/index.html", "chromino-1.2.3.dist-info/RECORD"]
    kernel = "chromino/bots/kernel/_kernel.cpython-311-x86_64-linux-gnu.so"
    source = ["CHANGELOG.md", "src/chromino/bots/kernel/_kernel.pyx", *(f"src/{name}" for name in inside[:2])]
    assert problems_with(checkout, packed(folder, source, [*inside, kernel], inside)) == []
    assert problems_with(checkout, packed(folder, source[1:], [*inside, kernel], inside)) == [
        "c.tar.gz doesn't contain CHANGELOG.md"
    ]
    assert problems_with(checkout, packed(folder, source, inside, [*inside[:1], kernel, "tests/x.py"])) == [
        "with.whl has no compiled kernel",
        "without.whl doesn't contain chromino/web/index.html",
        "without.whl has tests/x.py, which doesn't belong there",
        "without.whl has a compiled kernel",
    ]


def test_a_failed_program_is_reported_with_its_output() -> None:
    assert run(sys.executable, "-c", "print(input())", typed="hello\n") == "hello\n"
    with pytest.raises(Failed, match=r"exited with code 3:\nso it is"):
        run(sys.executable, "-c", "print('so it is'); raise SystemExit(3)")


@pytest.mark.parametrize("name", [*TESTS, *CHECKOUT_TESTS])
def test_the_tests_that_a_release_names_exist(name: str) -> None:
    assert (ROOT / name).exists()


def test_the_next_steps_name_the_tag_and_the_files() -> None:
    text = next_steps("1.2.3", Packed(Path("c.tar.gz"), Path("with.whl"), Path("without.whl")))
    for words in ("git tag --annotate v1.2.3", "twine upload dist/*", "with.whl", "without.whl", "chromino==1.2.3"):
        assert words in text


def test_the_version_is_in_one_place_and_in_the_changelog() -> None:
    assert version_of(ROOT) == __version__
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dynamic"]
    assert f"\n## {__version__} (" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
