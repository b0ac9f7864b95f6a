"""For the Trainer of Hugging Face: `Trainer(..., callbacks=[keng.plugins.transformers.Watching()])`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from transformers import TrainerCallback

from keng.model import Finding
from keng.plugins.context_manager import watch
from keng.run.findings import Result


class Watching(TrainerCallback):
    """Watches `train`, from its begin to its end. A Trainer tells its callbacks of no error: where
    `train` may raise and the program continues, `with keng.watch():` around it is right instead.
    Arguments as of `keng.watch`."""

    def __init__(
        self,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        on_finding: Callable[[Finding], None] | None = None,
    ) -> None:
        self._watch = watch(select=select, ignore=ignore, on_finding=on_finding)

    @property
    def result(self) -> Result:
        return self._watch.result

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._watch.start()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._watch.stop()
