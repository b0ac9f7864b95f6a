"""A unit test of any model in one line: `assert not probe(model, batch).findings`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from torch.nn import Module

from keng.run.probes import Report, call_of, probe_run
from keng.run.probes.call import Loss


def probe(
    model: Module,
    batch: Any,
    *,
    loss: Loss | None = None,
    exempt: Collection[str] = (),
    seconds: float | None = None,
) -> Report:
    """Tests a model on a batch by changing the batch: other rows, earlier positions and real tokens must not
    notice.

    `batch` is what a loader yields: a mapping of keyword arguments, a tuple whose first parts are the
    arguments and whose rest is what the model is trained on, or the one argument. At least 3 rows are needed,
    and rows of different lengths where padding is to be tested. With `loss(output, targets)`, gradients are
    tested as well. `exempt` names what the model is not meant to satisfy: "rows", "causal", "padding",
    "labels", "repeat", "state", "inputs", "gradients", or a single probe; the model may declare the same in
    an attribute `keng_exempt`. Probes that do not begin within `seconds` are skipped.

    The result has `findings`, `notes`, `held` and `skipped`, with a reason for each that was. Neither the
    model nor the batch nor any random state is changed.
    """
    return probe_run(call_of(model, batch, loss), seconds, exempt)
