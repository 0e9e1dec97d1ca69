"""Benchmarks for everything that we say is fast. Results go into docs/performance.md, with the date and machine."""
