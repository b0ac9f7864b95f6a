"""Error messages: a method is asked of a tensor that only arrays have, or of something else that only tensors have."""

from __future__ import annotations

import ast
import re
from difflib import get_close_matches

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.shape._shared_explain import UNSTACKED, has_no_result, tuple_from_recurrent_layer
from keng.rules import explains
from keng.source import Code
from keng.tables import torch_history
from keng.tables.torch_names import TENSOR_METHODS

KINDS = {
    "ndarray": "an array of NumPy: torch.as_tensor(x) first",
    "list": "a list: torch.stack for tensors, torch.as_tensor for numbers",
    "tuple": "a tuple: take the part that is meant",
    **dict.fromkeys(("float", "int"), "a plain number, an .item() or a first 0: no graph"),
    "str": "a text: a key of a dict, most often",
    "dict": "a dict: take the entry that is meant",
    "collections.OrderedDict": 'a dict: take the entry that is meant, ["out"] of a model of torchvision\'s',
    "NoneType": "None: what came before returned nothing",
}


VAGUE = ("size", "device", "to", "clone", "view", "float")


AS_OF_TENSORS = re.compile(r"\.(?:to|size|view)\((?:-?\d|\w*\.?device\b|torch\.|[\"']cuda)")

LABELLED = re.compile(r"\b(?:labels?|targets?|gts?)(?:_\w{1,20})?\.[a-z]")

IN_ITS_PLACE = {
    "astype": ".to(dtype)",
    **dict.fromkeys(("append", "extend"), "torch.cat, or a list that is stacked at the end"),
    "copy": ".clone()",
    "index": "a list was expected, as of the classes' names: (x == value).nonzero() tells places",
    "transpose_": ".permute(...)",
    "asnumpy": ".numpy()",
    "tobytes": ".numpy().tobytes()",
    **dict.fromkeys(
        ["keys", "items", "values"],
        "a dict was expected, as a batch, a graph or a state dict is, and one tensor came",
    ),
    **dict.fromkeys(
        ["logits", "loss", "last_hidden_state", "pooler_output", "latent_dist"],
        "the output of a model of Transformers or Diffusers has it, and this is a part of one, as "
        "outputs[0], or what another model returns",
    ),
    **dict.fromkeys(
        ["input_ids", "attention_mask"],
        "a tokenizer's result has it, and these are ids alone, as of encode() or apply_chat_template(): "
        "input_ids=ids, or return_dict=True",
    ),
    "edge_index": "a graph, torch_geometric's Data, was expected, and one tensor came",
}
"""What arrays, lists and dicts are asked for, and what a tensor has."""


@explains("of-arrays")
def of_arrays(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("tensor-has-no", cure=name, IN_ITS_PLACE=IN_ITS_PLACE[name]))


@explains("of-tensors")
def of_tensors(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    vague = kind in ("str", "NoneType") and name in VAGUE
    unlike = vague and not AS_OF_TENSORS.search(failure.line or failure.surrounding)
    if unlike or (kind == "NoneType" and ".grad." in failure.line):
        return  # said of many things that are no tensors, or of a gradient that is not there
    what = KINDS.get(kind.removeprefix("numpy."), "a number of NumPy: torch.as_tensor(x) first")
    if kind == "list" and name in ("to", "cuda", "cpu"):
        what = "a list: [x.to(device) for x in it], or torch.stack before"
    if name == "numpy" and kind.endswith("ndarray"):
        what = "an array already: leave it out"
    what, fix = _returns_nothing(failure, name) or (_unstacked(failure, kind) or what, None)
    yield failure.hit(say("tensor-s", what=name, what_2=what), fix)


@explains("of-nothing")
def of_nothing(failure: Failure) -> Hits:
    name = failure.groups["name"]
    near = [] if name in TENSOR_METHODS else get_close_matches(name, TENSOR_METHODS, 1, 0.75)
    other = (
        "; did you mean `{}`?" if near else ": another version of torch, or not a tensor's at all"
    )
    by_version = torch_history.told_of_name("torch.Tensor", name, f"`Tensor.{name}`")
    yield failure.hit(by_version or f"a tensor has no `{name}`{other.format(*near)}")


LOST = re.compile(r"\b(?:self\.)?(?:criterion|loss_fn|loss_func|loss_function)\(")


OVER_TORCH = re.compile(r"-packages/(?:torch/nn|torch_geometric|torchvision|torchmetrics|kornia)/")
"""Files whose functions are given tensors."""


@explains("of-what-came-into-a-layer")
def of_what_came_into_a_layer(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    mine = kind != "NoneType" and (failure.in_forward or failure.line_uses_torch)
    if mine or OVER_TORCH.search(failure.raised_in) or LOST.search(failure.line):
        says = f"`{failure.groups['name']}` is a tensor's, and this is {KINDS[kind]}"
        yield failure.hit(tuple_from_recurrent_layer(failure, kind) or says)


def _returns_nothing(failure: Failure, method: str) -> tuple[str, Fix] | None:
    """Where a method of None is called: the function that has computed it and not returned it."""
    none = failure.groups["kind"] == "NoneType"
    owner = re.search(rf"\b(\w+)\.{re.escape(method)}\(", failure.line) if none else None
    found = failure.ask_line(_given_back, owner[1]) if owner else None
    return (f"None: `{found[0]}` has no `return`", found[1]) if found else None


def _given_back(code: Code, line: int, name: str) -> tuple[str, Fix] | None:
    """The one function in the file that computes what a line names, under the same name, and returns
    nothing; and a fix that returns it."""
    here = [n for n in code.tree.on_line(line, ast.Name) if n.id == name]
    made = [b.value for b in code.flow.reaching_definitions(here[0])] if here else []
    called = made[0].func if len(made) == 1 and isinstance(made[0], ast.Call) else None
    short = getattr(called, "attr", getattr(called, "id", ""))
    found = [f for f in code.of(ast.FunctionDef) if f.name == short]
    if len(found) != 1 or not has_no_result(code, found[0]):
        return None
    body = found[0].body
    own = [t for s in body if isinstance(s, ast.Assign) for t in s.targets]
    if name not in [t.id for t in own if isinstance(t, ast.Name)] or not code.edits.starts_line(
        body[-1]
    ):
        return None
    text = f"{code.edits.newline}{code.edits.indentation(body[-1])}return {name}"
    return short, Fix(say("return-what-computes"), (code.edits.append(body[-1], text),), "shown")


def _unstacked(failure: Failure, kind: str) -> str:
    """What labels are that a loader or a collate_fn has not made one tensor of."""
    asked = kind in ("tuple", "list") and LABELLED.search(failure.line)
    return f"a {kind}, {UNSTACKED}" if asked else ""
