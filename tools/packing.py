"""Builds the source distribution and, from that, the wheels, and checks what's in them."""

from __future__ import annotations

import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.readiness import tracked

Run = Callable[..., str]

_NOT_PACKED = ("docs/screenshots/", ".ci/", ".gitignore")
"""Project files that aren't packed, because they're large or only useful in a checkout."""
_KERNEL_SOURCES = (".pyx", ".pxi")
"""The kernel's source files, which a wheel doesn't need."""


@dataclass(frozen=True)
class Packed:
    """The three files to release."""

    source: Path
    with_kernel: Path
    without_kernel: Path


def build(root: Path, out: Path, run: Run) -> Packed:
    """Build all three files. The wheels are built from the source distribution, as other people would build them."""
    environment = {**os.environ, "PIP_CONSTRAINT": str(root / "constraints.txt")}
    run(sys.executable, "-m", "build", "--sdist", "--outdir", out, root, env=environment)
    (source,) = out.glob("*.tar.gz")
    for kernel in ("yes", "no"):
        wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out, source]
        run(*wheel, env={**environment, "CHROMINO_KERNEL": kernel})
    (without,) = out.glob("*-none-any.whl")
    (compiled,) = set(out.glob("*.whl")) - {without}
    if sys.platform == "linux":  # Make the wheel run on every recent Linux system, not just on this one.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        repair = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", out, compiled]
        run(*repair, env={**environment, "PATH": path})
        compiled.unlink()
        (compiled,) = set(out.glob("*.whl")) - {without}
    return Packed(source, compiled, without)


def problems_with(root: Path, packed: Packed) -> list[str]:
    """What's wrong with the built files: project files that are missing, and files that don't belong there."""
    files = [file for file in tracked(root) if not file.startswith(_NOT_PACKED)]
    with tarfile.open(packed.source) as archive:
        packed_files = {name.partition("/")[2] for name in archive.getnames()}
    problems = [f"{packed.source.name} doesn't contain {file}" for file in _missing(files, packed_files)]
    package = [
        file.removeprefix("src/") for file in files if file.startswith("src/") and not file.endswith(_KERNEL_SOURCES)
    ]
    for wheel, has_kernel in ((packed.with_kernel, True), (packed.without_kernel, False)):
        with zipfile.ZipFile(wheel) as wheel_archive:
            names = set(wheel_archive.namelist())
        problems += [f"{wheel.name} doesn't contain {file}" for file in _missing(package, names)]
        stray = sorted(filter(_is_stray, names))
        problems += [f"{wheel.name} has {name}, which doesn't belong there" for name in stray]
        if any("/_kernel." in name and not name.endswith(".pyi") for name in names) != has_kernel:
            problems.append(f"{wheel.name} {'has no' if has_kernel else 'has a'} compiled kernel")
    return problems


def _missing(wanted: Iterable[str], present: set[str]) -> list[str]:
    return [file for file in wanted if file not in present]


def _is_stray(name: str) -> bool:
    return not name.startswith(("chromino/", "chromino-")) or name.endswith((".c", ".pyc", *_KERNEL_SOURCES))
