"""`keng.watch()`: watches the code that runs inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType

from keng import catalog
from keng.model import Finding, Pitfall
from keng.runtime.bus import Bus
from keng.runtime.hub import Hub, Result
from keng.runtime.late import when_torch_is_there
from keng.runtime.tracebacks import strip


class Watch:
    """One watched stretch of a program. `result` may be asked for at any time; it is complete when
    watching has stopped."""

    def __init__(
        self, pitfalls: Iterable[Pitfall], on_finding: Callable[[Finding], None] | None = None
    ) -> None:
        self._hub = Hub(pitfalls, on_finding)
        self._bus: Bus | None = None
        self._take_off: Callable[[], None] | None = None
        self._call_off: Callable[[], None] | None = None

    @property
    def result(self) -> Result:
        return self._hub.result()

    def start(self) -> Watch:
        if self._call_off is None:
            self._call_off = when_torch_is_there(self._put_on)
        return self

    def stop(self) -> Result:
        if self._call_off is not None:
            self._call_off()
            self._call_off = None
        if self._bus is not None and self._take_off is not None:
            self._bus.tell("end")
            self._take_off()
            self._bus = None
        return self.result

    def __enter__(self) -> Watch:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is not None:
            strip(error)
        self.stop()

    def _put_on(self) -> None:
        from keng.runtime.recorders import EVERY
        from keng.runtime.scene import Scene
        from keng.runtime.taps import put_on

        scene = Scene(self._hub)
        asked = set(self._hub.watchers)
        kinds = [kind for kind in EVERY if not kind.makes or asked.intersection(kind.makes)]
        self._bus = Bus([kind(scene) for kind in kinds], self._hub.blinded)
        try:
            self._take_off = put_on(self._bus)
        except Exception as error:  # another torch than was known: the program must not suffer
            self._hub.blinded("the watch", error)


def watch(
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    on_finding: Callable[[Finding], None] | None = None,
) -> Watch:
    """Watches a stretch of code: `with keng.watch() as watching: ...`, then `watching.result`.

    `select` and `ignore` are names of pitfalls; nothing selected means all. Without `on_finding`
    each finding is written to standard error when it is first seen.

    Raises: KeyError for a name that no pitfall has.
    """
    unwanted = {catalog.pitfall(name).name for name in ignore}
    chosen = [catalog.pitfall(name) for name in select] or list(catalog.every())
    pitfalls = [pitfall for pitfall in chosen if pitfall.watchers and pitfall.name not in unwanted]
    return Watch(pitfalls, on_finding or _write)


def _write(finding: Finding) -> None:
    import sys

    where = finding.hit.where
    place = f"{where.path}:{where.line}: " if where else ""
    print(f"{place}{finding.pitfall}: {finding.hit.says} ({finding.first})", file=sys.stderr)
