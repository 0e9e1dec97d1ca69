"""Benchmarks for everything that claims a speed. Figures with date and machine go into docs/performance.md."""
