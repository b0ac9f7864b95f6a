"""Watches a running program: taps turn what torch does into events, recorders remember, watchers report.

Nothing in this room imports torch before the program does.
"""
