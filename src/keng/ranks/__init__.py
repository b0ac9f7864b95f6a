"""Compares the processes of one distributed job.

`reports`, `calls` and `manual_averaging` are what a pitfall is shown; `collect` gathers it from the ranks.
"""
