"""`make release`: builds the files, tries them in clean environments, and says what to do next. It uploads nothing."""

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

from tools.packing import Packed, build, problems_with
from tools.readiness import reasons_to_wait, tag_of, version_of
from tools.wheel_trial import Broken, Trial

T = TypeVar("T")

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"


def main() -> int:
    """Prepare the whole release, and return the exit code: 1 if something is wrong."""
    if reasons := list(reasons_to_wait(ROOT)):
        print("Not yet:")
        for reason in reasons:
            print(f"- {reason}")
        return 1
    version = version_of(ROOT)
    started = monotonic()
    try:
        packed = _make_release(version)
    except (Broken, Failed) as problem:
        print(f"\nNot ready: {problem}")
        return 1
    print(f"\nReady after {monotonic() - started:.0f} s, in dist/:")
    for file in (packed.source, packed.with_kernel, packed.without_kernel):
        print(f"  {file.name}  {file.stat().st_size / 1000:,.0f} kB")
    print(next_steps(version, packed))
    return 0


def _make_release(version: str) -> Packed:
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    print(f"Chromino {version}")
    packed = _step("build a source distribution, and two wheels from it", lambda: build(ROOT, DIST, run))
    if problems := problems_with(ROOT, packed):
        raise Broken("; ".join(problems))
    files = (packed.source, packed.with_kernel, packed.without_kernel)
    _step("check their metadata", lambda: run(sys.executable, "-m", "twine", "check", "--strict", *files))
    for wheel, has_kernel in ((packed.with_kernel, True), (packed.without_kernel, False)):
        print(wheel.name)
        with TemporaryDirectory(prefix="chromino-release-") as folder:
            trial = Trial(Path(folder), wheel, ROOT / "constraints.txt", run)
            _report("install", trial.install)
            _report("check", partial(trial.check, version, has_kernel=has_kernel))
            _report("play", trial.play)
            _report("serve", trial.serve)
            _report("test", partial(trial.test, packed.source))
    return packed


def next_steps(version: str, packed: Packed) -> str:
    """The steps that are left for a person, as text."""
    tag = tag_of(version)
    wheel = packed.with_kernel.name
    return f"""
What to do next:
1. Read CHANGELOG.md again: the section {version} is what people will see.
2. {wheel} is for this version of Python on this kind of system.
   For every other combination that should have the fast kernel, run `make release` there and add the wheel to dist/.
   Elsewhere, pip installs {packed.without_kernel.name}: everything works, but levels 4 and 5 play like level 3.
3. git tag --annotate {tag} --message "Chromino {version}" && git push origin {tag}
4. .venv/bin/twine upload dist/*
5. In a new environment: pip install chromino=={version} && chromino --version
6. With the first change after this release, set src/chromino/version.py to the next version.
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
        raise Failed(f"{' '.join(map(str, arguments))} exited with code {done.returncode}:\n{done.stdout}")
    return done.stdout


def _step(what: str, work: Callable[[], T]) -> T:
    started = monotonic()
    print(f"  {what} … ", end="", flush=True)
    result = work()
    print(f"{monotonic() - started:.0f} s")
    return result


def _report(what: str, work: Callable[[], str]) -> None:
    started = monotonic()
    print(f"  {what} … ", end="", flush=True)
    print(f"{work()} ({monotonic() - started:.0f} s)")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nStopped. The files in dist/ weren't fully tested.")
