"""A running program: the keys that `load_state_dict(strict=False)` did not load are ignored."""

from __future__ import annotations

from keng.model import say
from keng.run.events import StateLoaded
from keng.run.frames import is_discarded
from keng.run.recorder import Recorder


class LoadedStates(Recorder):
    def state_loaded(self, event: StateLoaded) -> None:
        missing = set(getattr(event.result, "missing_keys", ()))
        unexpected = list(getattr(event.result, "unexpected_keys", ()))
        if event.strict or not unexpected:
            return
        names = event.module.state_dict().keys()
        loaded, total = sum(name not in missing for name in names), len(names)
        if 2 * loaded <= total and is_discarded():
            name = self.run.module_name(event.module)
            values = {"module": name, "n": len(unexpected), "name": unexpected[0]}
            says = say("few-loaded", loaded=loaded, total=total, **values)
            self.report(says, loaded=loaded, total=total)
