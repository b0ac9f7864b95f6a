"""Planted faults: real files of public repositories, each with one slip put in by an operator.

A mutation is data, a line of evals/check/mutations/NAME.jsonl: repository, commit, path, line, operator,
seed. No code of the repositories is kept. An operator is a function marked with `@plants(...)`
(`operators.py`) that yields the places of a file where it may plant its fault. Its precondition is that a
careful reader of that file would see the fault.
"""
