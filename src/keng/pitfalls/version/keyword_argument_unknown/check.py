"""Source code: an argument is given to PyTorch under a name that it does not have there."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def name_of_another(code: Code) -> Hits:
    said = b"verbose" in code.tree.data or b"learning_rate" in code.tree.data
    for call in code.calls.calls_with(lambda name: name[:1].isupper()) if said else ():
        dotted = code.names.resolve(call.func)
        scheduler = dotted.startswith("torch.optim.lr_scheduler.")
        if not dotted.startswith("torch.optim.") or code.modes.in_try_or_raises(call):
            continue
        for keyword in call.keywords:
            if keyword.arg == "verbose" and scheduler and code.torch_at_least("2.7") is not False:
                fix = Fix(say("leave-out"), (code.edits.without_argument(call, keyword),))
                says = say("schedulers-have-no-since")
                yield code.hit(keyword, says, fix=fix)
            elif keyword.arg == "learning_rate" and not scheduler:
                edit = code.edits.replace(keyword, f"lr={code.text_of(keyword.value)}")
                says = say("no-argument-optimizer-called")
                yield code.hit(keyword, says, fix=Fix(say("call-lr"), (edit,)))
