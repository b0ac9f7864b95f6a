"""A dataset that was gone through, as one page that needs no other file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path

from keng.report import datasets
from keng.report.words import Words
from keng.toolbox.datasets.reports import DataFinding, DatasetReport

TEMPLATE = Path(__file__).with_name("dataset_page.html")


def page(
    title: str,
    found: DatasetReport,
    shown: Sequence[DataFinding],
    pictures: Iterable[tuple[int, str, bytes]],
    words: Words,
) -> str:
    """HTML with histograms as SVG and pictures (index, why, PNG) as data URIs. jinja2 comes with
    PyTorch, which whoever has a report has."""
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True).from_string(
        TEMPLATE.read_text("utf-8")
    )
    drawn = [(index, why, b64encode(png).decode()) for index, why, png in pictures]
    return template.render(
        title=title,
        found=found,
        shown=shown,
        pictures=drawn,
        words=words,
        about=lambda part: datasets.about(part, words),
        cost=datasets.cost(found, words),
    )
