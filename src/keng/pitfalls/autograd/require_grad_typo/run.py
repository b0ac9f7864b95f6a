"""A running program: gradients are switched by an attribute that nobody reads."""

from __future__ import annotations

from typing import Any

from keng.model import say
from keng.pitfalls.autograd.require_grad_typo._shared import TYPOS
from keng.run.events import NewOptimizer
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState
from keng.run.user_code import only_set_at


class MisspeltSwitches(Recorder):
    """Checks parameters once, when their optimizer steps for the first time."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: set[str] = set()

    def new_optimizer(self, event: NewOptimizer) -> None:
        for parameter in parameters_of(event.optimizer):
            for attribute in _switches(parameter):
                if attribute not in self.known:
                    self.known.add(attribute)
                    self._report(parameter, attribute)

    def _report(self, parameter: Any, attribute: str) -> None:
        place = only_set_at(attribute, owned=False)
        if place is not None:
            name = self.run.parameter_name(parameter)
            unknown = say("new-attribute-of-parameter", typo=attribute)
            says = say("new-attribute-counts", typo=attribute, name=name) if name else unknown
            self.report(says, where=place)


def _switches(parameter: Any) -> list[str]:
    """Misspelt attributes that are yes or no."""
    own = vars(parameter).items() if hasattr(parameter, "__dict__") else ()
    return [name for name, value in own if name in TYPOS and type(value) is bool]
