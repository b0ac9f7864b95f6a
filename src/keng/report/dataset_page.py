"""A dataset that was iterated, as a page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence

from keng.report import datasets, html
from keng.report.words import Words
from keng.toolbox.datasets.reports import DataFinding, DatasetReport


def page(
    title: str,
    found: DatasetReport,
    shown: Sequence[DataFinding],
    pictures: Iterable[tuple[int, str, bytes]],
    words: Words,
) -> str:
    """HTML with histograms as SVG and pictures (index, why, PNG) as data URIs."""
    return html.filled(
        "dataset.html",
        title=title,
        found=found,
        shown=shown,
        pictures=[(index, why, b64encode(png).decode()) for index, why, png in pictures],
        words=words,
        says=lambda finding: datasets.says(finding, words),
        about=lambda part: datasets.about(part, words),
        cost=datasets.cost(found, words),
    )
