"""Source code: after an evaluation the model goes on training in eval mode."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def trained_in_eval_mode(code: Code) -> Hits:
    for loop in code.training_loops if not code.uses_framework() else ():
        for step in code.learned_from(loop):
            model, where = code.called_model(step), code.left_in_eval(step)
            layers = code.mode_layers(model) if model is not None and where else None
            if where is None or model is None or (layers is not None and not layers):
                continue
            name, line = code.text_of(model), code.line_of(where)
            says = f"`{name}` is in eval mode from the second round on: line {line} switches it"
            yield code.hit(step.call, f"{says}, and nothing switches it back", sure=bool(layers))
            break
