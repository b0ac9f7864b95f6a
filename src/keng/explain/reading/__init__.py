"""Reads whatever people paste: tracebacks, logs, notebooks, quotes."""
