"""Shows findings and explanations: on a terminal, to programs, on GitHub. Knows no pitfall.

words.py         the report's own words, in English and Chinese
screen.py        lines of styled pieces, written with colours or without
places.py        paths as they are told
regions.py       lines and columns, in characters or bytes
frames.py        the code around a place
diffs.py         what a fix or a change does
findings.py      one finding, one screen
explanations.py  an explanation, the cause first
runs.py          the page of a run, for a browser
charts.py        curves as SVG
pages.py         the page of a pitfall
records.py       the same as plain data, for JSON
outcome.py       what a check has to tell, for the formats that programs read
formats.py       these formats by name: json, json-lines, and one of
github.py        annotations of a workflow run
gitlab.py        a code quality report
sarif.py         SARIF 2.1.0
junit.py         JUnit XML
pylint.py        pylint's lines
rdjson.py        reviewdog's diagnostics
"""
