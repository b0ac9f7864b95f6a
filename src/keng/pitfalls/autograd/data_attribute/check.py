"""Source code: a tensor is changed behind autograd's back, through `.data`."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds(fixes=True)
def written_behind_the_graph(code: Code) -> Hits:
    for node, tensor in code.data_overwritten():
        if code.grad_at(node) is Grad.ON and code.has_graph(tensor):
            name = code.text_of(tensor)
            says = f"backward does not notice that `{name}` changes here: its gradients go wrong"
            edit = code.out_of_place(node, tensor)
            fix = Fix("Make a new tensor, which the graph knows", (edit,)) if edit else None
            yield code.hit(node, says, fix=fix)
