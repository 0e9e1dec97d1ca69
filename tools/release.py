"""`make release`: build, try the result in clean environments, and say what to do next. It uploads nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TypeVar

from tools.packing import Packed, build, missing
from tools.readiness import reasons_to_wait, tag_of, version_of
from tools.trying import Broken, Trial

T = TypeVar("T")

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"


def main() -> int:
    """Prepare the whole release; returns 1 if something is wrong."""
    if reasons := list(reasons_to_wait(ROOT)):
        print("Not yet:")
        for reason in reasons:
            print(f"- {reason}")
        return 1
    version = version_of(ROOT)
    begin = monotonic()
    try:
        packed = _make(version)
    except (Broken, Failed) as problem:
        print(f"\nNot ready: {problem}")
        return 1
    print(f"\nReady after {monotonic() - begin:.0f} s, in dist/:")
    for file in (packed.source, packed.with_kernel, packed.without_kernel):
        print(f"  {file.name}  {file.stat().st_size / 1000:,.0f} kB")
    print(next_steps(version, packed))
    return 0


def _make(version: str) -> Packed:
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    print(f"Chromino {version}")
    packed = _step("build a source distribution, and two wheels from it", lambda: build(ROOT, DIST, run))
    if problems := missing(ROOT, packed):
        raise Broken("; ".join(problems))
    files = (packed.source, packed.with_kernel, packed.without_kernel)
    _step("check their metadata", lambda: run(sys.executable, "-m", "twine", "check", "--strict", *files))
    for wheel, has_kernel in ((packed.with_kernel, True), (packed.without_kernel, False)):
        print(wheel.name)
        with TemporaryDirectory(prefix="chromino-release-") as folder:
            trial = Trial(Path(folder), wheel, ROOT / "constraints.txt", run)
            _report("install", trial.install)
            _report("look", partial(trial.look, version, has_kernel=has_kernel))
            _report("play", trial.play)
            _report("serve", trial.serve)
            _report("test", partial(trial.test, packed.source))
    return packed


def next_steps(version: str, packed: Packed) -> str:
    """The steps that are left for a person to do."""
    tag = tag_of(version)
    wheel = packed.with_kernel.name
    return f"""
What to do next:
1. Read CHANGELOG.md again: the section {version} is what people will read.
2. {wheel} fits this version of Python on this kind of system.
   For each other one that should have the fast kernel, run `make release` there and add its wheel to dist/.
   Without one, pip installs {packed.without_kernel.name}: everything works, but levels 4 and 5 play like level 3.
3. git tag --annotate {tag} --message "Chromino {version}" && git push origin {tag}
4. .venv/bin/twine upload dist/*
5. In a new environment: pip install chromino=={version} && chromino --version
6. Set src/chromino/version.py to the next version when the first change after this one is made.
"""


class Failed(Exception):
    """A program failed."""


def run(*arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None, typed: str = "") -> str:
    """Run a program and return its output; if the program fails, raise `Failed` with the output."""
    done = subprocess.run(
        list(map(str, arguments)),
        env=env,
        cwd=cwd,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise Failed(f"{' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def _step(what: str, work: Callable[[], T]) -> T:
    begin = monotonic()
    print(f"  {what} … ", end="", flush=True)
    found = work()
    print(f"{monotonic() - begin:.0f} s")
    return found


def _report(what: str, work: Callable[[], str]) -> None:
    begin = monotonic()
    print(f"  {what} … ", end="", flush=True)
    print(f"{work()} ({monotonic() - begin:.0f} s)")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nStopped. The files in dist/ weren't fully tested.")
