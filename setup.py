"""The one part that pyproject.toml can't describe: the compiled kernel, which may fail to build.

With `CHROMINO_KERNEL=yes`, a failed build is an error. With `no`, the kernel is left out, for a wheel that runs
everywhere.
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

WANTED = os.environ.get("CHROMINO_KERNEL", "maybe")
if WANTED not in ("yes", "no", "maybe"):
    raise SystemExit(f"CHROMINO_KERNEL must be yes, no or maybe, not {WANTED!r}")

kernel = Extension(
    "chromino.bots.kernel._kernel",
    ["src/chromino/bots/kernel/_kernel.pyx"],
    depends=[f"src/chromino/bots/kernel/_{part}.pxi" for part in ("contacts", "ends", "play")],
    extra_compile_args=["-O3"],
)

extensions = [] if WANTED == "no" else cythonize([kernel])
for extension in extensions:
    extension.optional = WANTED == "maybe"  # Without a compiler, the install still succeeds, and its twin is used.

setup(ext_modules=extensions)
