"""For Lightning: `Trainer(callbacks=[keng.plugins.lightning.Watching()])`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lightning.pytorch import Callback

from keng.model import Finding
from keng.plugins.context_manager import watch
from keng.run.findings import Result


class Watching(Callback):
    """Watches every `fit`, from before its sanity check to its end. Arguments as of `keng.watch`."""

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

    def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:
        if stage == "fit":
            self._watch.start()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        self._watch.fail(exception)

    def teardown(self, trainer: Any, pl_module: Any, stage: str) -> None:
        self._watch.stop()
