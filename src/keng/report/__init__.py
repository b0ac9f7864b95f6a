"""Shows findings and explanations: on a terminal, to programs, on GitHub. Knows no pitfall.

words.py         the report's own words, in English and Chinese
screen.py        lines of styled pieces, written with colours or without
frames.py        the code around a place
diffs.py         what a fix or a change does
findings.py      one finding, one screen
explanations.py  an explanation, the cause first
pages.py         the page of a pitfall
records.py       the same as plain data, for JSON
github.py        annotations of a workflow run
"""
