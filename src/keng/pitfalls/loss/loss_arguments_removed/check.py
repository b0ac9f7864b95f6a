"""Source code: a loss is told by `size_average` or `reduce` how to sum up."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def old_arguments(code: Code) -> Hits:
    for call in code.torch_losses():
        old = [k for k in call.keywords if k.arg in ("size_average", "reduce")]
        if not old or any(code.is_constant(k.value, None) for k in old):
            continue
        said = {k.arg: getattr(k.value, "value", None) for k in old}
        known = all(isinstance(value, bool) for value in said.values())
        mean = "mean" if said.get("size_average", True) else "sum"
        reduction = "none" if said.get("reduce") is False else mean
        fix = code.swap_arguments(old, f'reduction="{reduction}"', "Say it with `reduction`")
        also = any(k.arg == "reduction" for k in call.keywords)
        names = " and ".join(f"`{name}`" for name in said)
        says = (
            f"{names} {'stand' if len(said) > 1 else 'stands'} for reduction, which has replaced it"
        )
        yield code.hit(call, says, fix=fix if known and not also else None)


@finds(fixes=True)
def old_name_of_the_mean(code: Code) -> Hits:
    for call in code.torch_losses():
        for keyword in call.keywords:
            if keyword.arg == "reduction" and code.is_text(keyword.value, "elementwise_mean"):
                fix = Fix('Write "mean"', (code.replace(keyword.value, '"mean"'),), "safe")
                yield code.hit(call, '"elementwise_mean" is an old name of "mean"', fix=fix)
