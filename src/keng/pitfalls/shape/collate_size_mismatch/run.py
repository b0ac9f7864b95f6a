"""A running program: samples of one batch differ in size."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoaderFailed


@watches("loader.failed")
def samples_that_do_not_fit(loader: LoaderFailed) -> Hits:
    shapes = {shape: index for index, shape in reversed(loader.samples)}
    if len(shapes) > 1:
        seen = [f"{index} has the shape {shape}" for shape, index in reversed(shapes.items())]
        yield loader.hit(f"samples of the dataset differ: {', '.join(seen[:3])}")
