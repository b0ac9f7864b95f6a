"""For Accelerate: `Accelerator(log_with=keng.plugins.accelerate.Watching())`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from accelerate.tracking import GeneralTracker

from keng.model import Finding
from keng.plugins.context_manager import watch
from keng.run.findings import Result
from keng.run.watch import Watch


class Watching(GeneralTracker):
    """Watches from `accelerator.init_trackers` to `accelerator.end_training`, in every process.
    Arguments as of `keng.watch`."""

    name = "keng"
    requires_logging_directory = False
    main_process_only = False

    def __init__(
        self,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        on_finding: Callable[[Finding], None] | None = None,
    ) -> None:
        super().__init__()
        self._watch = watch(select=select, ignore=ignore, on_finding=on_finding)

    @property
    def tracker(self) -> Watch:
        return self._watch

    @property
    def result(self) -> Result:
        return self._watch.result

    def store_init_configuration(self, values: dict[str, Any]) -> None:
        """Called by `init_trackers` where it is given a configuration, and by nothing else."""

    def start(self) -> None:
        self._watch.start()

    def finish(self) -> None:
        self._watch.stop()
