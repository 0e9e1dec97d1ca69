"""The one part that pyproject.toml cannot say: the compiled kernel, which may fail to build."""

from Cython.Build import cythonize
from setuptools import Extension, setup

kernel = Extension(
    "chromino.bots._kernel",
    ["src/chromino/bots/_kernel.pyx"],
    depends=[f"src/chromino/bots/_{part}.pxi" for part in ("contacts", "ends", "play")],
    extra_compile_args=["-O3"],
)

extensions = cythonize([kernel])
for extension in extensions:
    extension.optional = True  # Without a compiler the install succeeds, and bots/twin.py does the work.

setup(ext_modules=extensions)
