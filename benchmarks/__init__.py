"""Benchmarks for everything that claims a speed. Figures go into docs/performance.md, with date and machine."""
