"""Exams of keng: programs, machines and error reports with known faults, and what keng makes of them.

`python -m evals SURFACE [SET ...]` runs them; README.md explains how a set is drawn, frozen and judged.
"""
