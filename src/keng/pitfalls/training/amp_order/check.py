"""Source code: mixed precision takes its steps in a wrong order."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Act, Code


@finds(fixes=True)
def clipped_while_scaled(code: Code) -> Hits:
    for loop in code.scaled_rounds():
        steps = code.scaler_steps(loop)
        for clip in loop.all(Act.CLIP) if steps and not loop.has(Act.UNSCALE) else ():
            along = "scale" in code.text_of(clip.call).partition(",")[2]
            if along or clip.code is not code or code.alternatives(clip.call, steps[0]):
                continue
            scaler, given = code.text_of(code.receiver(steps[0])), steps[0].args
            line = given and code.new_line_before(
                clip.call, f"{scaler}.unscale_({code.text_of(given[0])})"
            )
            fix = Fix("Unscale the gradients first", (line,)) if line else None
            yield code.hit(clip.call, f"clips gradients that `{scaler}` has scaled up", fix=fix)


@finds
def stepped_past_the_scaler(code: Code) -> Hits:
    for loop in code.scaled_rounds():
        for step in [] if code.scaler_steps(loop) else loop.own(Act.STEP):
            yield code.hit(step.call, "steps with gradients that are still scaled up")


@finds
def never_updated(code: Code) -> Hits:
    for loop in code.scaled_rounds():
        for step in code.scaler_steps(loop)[:1]:
            scaler = code.receiver(step)
            if not code.updates(scaler):
                says = f"`{code.text_of(scaler)}.update()` never follows, so this is the only step"
                yield code.hit(step, says)


@finds
def halved_and_not_scaled(code: Code) -> Hits:
    for call in code.halved_unscaled():
        yield code.hit(
            call, "small gradients become 0 in float16 without a GradScaler: bfloat16 needs none"
        )
