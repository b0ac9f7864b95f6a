"""Source code: the time steps of a recurrent layer are taken for its batch."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code

LAYERS = ("torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU")


@finds(fixes=True)
def last_sample_taken_for_last_step(code: Code) -> Hits:
    for call, maker, out in code.recurrent_outputs(*LAYERS):
        taken = code.last_of_second(out)
        if taken is None or code.argument(maker, "batch_first", position=4) is not None:
            continue
        fix = None
        if maker in code.parent and not (call.args and code.transposed(call.args[0])):
            fix = code.add_argument(maker, "batch_first=True", "Put the batch first")
        layer = code.text_of(call.func)
        says = f"`{code.text_of(taken)}` is the last sample, not the last step"
        yield code.hit(taken, f"{says}: `{layer}` puts time first", fix=fix)
