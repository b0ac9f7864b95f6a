"""Runs a step again: saved steps, and single forwards with every operation observed."""
