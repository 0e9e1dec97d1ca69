"""Regenerates the golden files; read the diff before you commit it."""

from __future__ import annotations

import json

from chromino import PRESETS
from tests.golden import PERFT, path, perft_counts, playthrough

for name in PRESETS:
    path(name).write_text(playthrough(name), encoding="utf-8")
PERFT.write_text(json.dumps(perft_counts(), indent=2) + "\n", encoding="utf-8")
