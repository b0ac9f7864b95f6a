"""Where the tensors and names at a failing line leave one way alone to put it right."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from keng.explain.advice.indices import function_of_int64
from keng.explain.failure import Failure
from keng.explain.live import Groups
from keng.model import Fix, Span
from keng.run.labels import Labels

EQUATION = re.compile(r"[\"']([\w, ]{1,80})->\w{0,40}[\"']")
NONE = (None, None)
"""No fix, and no other place than the failing line."""
GRAPHS = re.compile(
    r"torch_geometric/(?:nn/conv/message_passing|utils/_?scatter)\.py$|torch_scatter/scatter\.py$"
)
GRAPH_LAYER = re.compile(
    r"\b(?:GCN2?|ClusterGCN|GATv?2?|SuperGAT|SAGE|GINE?|Cheb|F?RGCN|RGAT|(?:Res)?(?:Gated)?Graph|NN|(?:Dynamic)?Edge|"
    r"Transformer|SG|TAG|ARMA|GMM|Spline|PNA|FiLM|LE|MF|General|HGT|HAN|Hypergraph|PointNet|PointTransformer)Conv\b"
)
PRINTED = re.compile(rf"\(\w{{1,40}}\): {GRAPH_LAYER.pattern}\(")
IN_FORWARD = re.compile(r"\bscatter(?:_add)?_?\(|\.index_select\(|\bconv\d{0,2}\(|\bforward\b")
"""Where the layers look up nodes; a model is printed beside many errors."""
MOST_GROUPS = 6


def brought_to_one_size(failure: Failure) -> Fix | None:
    """For two maps whose sizes differ: the smaller is brought to the size of the other."""
    there = failure.live.operands
    if (
        len(there) != 2
        or {len(each.shape) for each in there} not in ({4}, {5})
        or failure.groups["dim"] != "1"
    ):
        return None
    small, large = sorted(there, key=lambda each: each.shape[2:])
    fix: Fix | None = failure.mended("resized", small.name, large.name)
    return fix


def other_letter(failure: Failure, letter: str, nth: int, size: int) -> Fix | None:
    """Where one letter of the other operand alone has the size that came, and the operand lacks it."""
    equation, there = EQUATION.search(failure.line), failure.live.operands
    groups = [list(each.strip()) for each in equation[1].split(",")] if equation else []
    if [len(g) for g in groups] != [len(o.shape) for o in there] or len(there) != 2:
        return None
    before, mine = groups[1 - nth], groups[nth]
    sizes = dict(zip(before, there[1 - nth].shape, strict=True))
    fits = [each for each in before if sizes[each] == size and each not in mine]
    alone = len(fits) == 1 and mine.count(letter) == 1 and letter in before
    fix: Fix | None = failure.mended("relettered", nth, letter, fits[0]) if alone else None
    return fix


def given_packed(failure: Failure, count: int) -> str:
    """The one list or tuple that holds as many tensors as the forward takes, and is given alone."""
    failing = failure.live.failing
    names = [tensor.name for tensor in failing.tensors] if failing is not None else []
    packed = names[0].rpartition("[")[0] if names else ""
    whole = names == [f"{packed}[{n}]" for n in range(count)]
    alone = packed and re.search(rf"\({re.escape(packed)}\)", failure.line)
    return packed if whole and alone else ""


def meant(failure: Failure, kind: str, name: str) -> Fix | None:
    """Where one attribute of the class alone differs by a slip of the hand."""
    known = failure.code.kept_by(kind) if failure.code is not None else set()
    close = [each for each in known if _slipped(name, each)]
    fix: Fix | None = failure.mended("renamed", name, close[0]) if len(close) == 1 else None
    return fix


def _slipped(name: str, meant: str) -> bool:
    """Whether two names differ in case and underscores alone, in two letters changed round, or in one that
    is missing; a number or a plural makes another name."""
    one, other = (text.replace("_", "").lower() for text in (name, meant))
    short, long = sorted((one, other), key=len)
    without = {long[:n] + long[n + 1 :] for n in range(len(long))}
    lost = short in without and long != f"{short}s"
    numbers = re.findall(r"\d", one) == re.findall(r"\d", other)
    return numbers and (one == other or lost or sorted(one) == sorted(other))


CHANGES = {
    "Add": "`+=` or add_()",
    "Sub": "`-=` or sub_()",
    "Mul": "`*=` or mul_()",
    "Div": "`/=` or div_()",
    "CopySlices": "writing into a part of it",
    "Relu": "a ReLU with inplace=True",
}


def by_what(failure: Failure, changes: list[ast.AST]) -> tuple[str, Span | None]:
    """What anomaly mode has recorded; else the last change that the source shows; else what the graph
    tells, where an operation that only reads the value looks like one that writes it."""
    changed = failure.live.changed
    if changed is not None and changed.line is not None:
        at = changed.line
        return f" by `{at.text}` on line {at.line} of {Path(at.path).name}", Span(at.path, at.line)
    texts = [failure.code.text_of(change) for change in changes]
    if changed is not None and changed.layers and all("inplace=True" in text for text in texts):
        names = " or ".join(f"`{name}`" for name in changed.layers[:3])
        return f", by {names}, which has inplace=True", None
    if changes and failure.place is not None:
        text, line = texts[-1], failure.code.line_of(changes[-1])
        where = Span(failure.place.path, line) if len(changes) == 1 else None
        return f", {'' if where else 'perhaps '}by `{text}` on line {line}", where
    if changed is not None and changed.by in CHANGES:
        return f", perhaps by {CHANGES[changed.by]}", None
    return "", None


def padding_mask_turned(failure: Failure) -> tuple[str, Fix | None]:
    """What to do with a padding mask that does not fit. Inside of the forward a batch that comes first has
    been turned round already."""
    masks, given = [o for o in failure.live.operands if o.dtype == "bool"], failure.given
    mask, layer = masks[0] if len(masks) == 1 else None, failure.live.layer
    if layer is None or not layer.settings.get("batch_first"):
        first = mask is not None and given is not None and mask.shape == given.shape[:2]
        fix = failure.mended("batch_put_first", failure.called) if first and layer else None
        sizes = [(failure.groups.get(name) or "").split(", ") for name in ("wants", "came")]
        if layer is None and len(sizes[0]) == 2 and sizes[0] != sizes[1][::-1]:
            return "make it of the batch that came", None
        return (
            "the batch comes first, so batch_first=True" if fix else "batch_first=True, perhaps"
        ), fix
    if mask and given and mask.shape == given.shape[:2] and mask.shape[0] != mask.shape[1]:
        says = f"`{mask.name}` of shape {mask.shape} is turned round"
        return says, failure.turned(mask.name, "{}.T")
    return "make it of the batch that came", None


def returns_nothing(failure: Failure, method: str) -> tuple[str, Fix] | None:
    """Where a method of None is called: the function that has computed it and not returned it."""
    none = failure.groups["kind"] == "NoneType"
    owner = re.search(rf"\b(\w+)\.{re.escape(method)}\(", failure.line) if none else None
    found = failure.mended("given_back", owner[1]) if owner else None
    return (f"None: `{found[0]}` has no `return`", found[1]) if found else None


LOW = {"half": "{}.half()", "float16": "{}.half()", "bfloat16": "{}.bfloat16()"}
"""Names of the dtypes of half precision -> how a tensor is converted to it."""
WHOLE_NUMBERS = {"Long": "int64", "Int": "int32", "Byte": "uint8", "Bool": "bool"}


def target_of_floats(failure: Failure, dtype: str) -> tuple[str, Fix | None]:
    """Of a loss that computes floats and is given a target of whole numbers."""
    lost = failure.live.lost
    known = len(lost) == 2 and lost[1].dtype == WHOLE_NUMBERS.get(dtype)
    target = failure.lost_as(1, "the target") if known else "the target"
    cure = f"{target.split()[-1].strip('`')}.float()"
    says = f"{target} is {dtype}, and this loss computes floats: {cure}"
    return says, failure.turned(target, "{}.float()")


def unpacked_along_another(failure: Failure) -> tuple[str, Fix | None] | None:
    """Where a tensor itself is unpacked, along its first dimension, and its last one has as many."""
    there, wants = failure.live.operands, int(failure.groups["wants"])
    whole = len(there) == 1 and re.search(
        rf"= {re.escape(there[0].name)}\s*(?:#.*)?$", failure.line
    )
    if not whole or len(there[0].shape) < 2 or there[0].shape[-1] != wants:
        return None
    name, shape = there[0].name, there[0].shape
    form = "{}.T" if len(shape) == 2 else "{}.unbind(-1)"
    says = f"`{name}` of shape {shape} is unpacked along its first dimension, and has {wants} along its last"
    return f"{says}: {form.format(name)}", failure.turned(name, form)


def labelled_anew(failure: Failure, labels: Labels) -> Fix | None:
    """Labels that count from 1 become smaller, and what marks no class is left out."""
    if ": ignore_index" in labels.verdict:
        left = labels.lowest if labels.lowest < 0 else labels.highest
        fix: Fix | None = failure.mended("leaving_out", failure.called, left)
        return fix
    name = failure.lost_as(1, "") if "subtract 1" in labels.verdict else ""
    return failure.turned(name, "{} - 1")


def without_parameters(failure: Failure) -> tuple[str, Fix | None, Span | None] | None:
    """Why an optimizer gets no parameters: layers that their module does not see, or a generator."""
    hidden = failure.live.hidden
    if hidden:
        names = ", ".join(f"`{kept.path}`" for kept in hidden[:3])
        fix = failure.mended_at_home(hidden[0], "registered_by_name") if len(hidden) == 1 else NONE
        return f"the layers in {names} are not seen: nn.ModuleList, or nn.ModuleDict", *fix
    unlearned = failure.live.unlearned
    if unlearned is not None and len(unlearned.frozen) == 1:
        [(model, count)] = unlearned.frozen.items()
        says = f"all {count} parameters of `{model}` are frozen, so none is left to give"
        return says, *NONE
    used = failure.mended("in_a_list")
    if not used:
        return None
    name, fix = used
    says = f"`{name}` is a generator, and what read it before has used it up: keep a list"
    return says, fix, None


def copied_with_its_graph(failure: Failure) -> tuple[str, Fix | None, Span | None]:
    """Which attribute of a module that is copied holds the result of an operation."""
    kept, there = failure.live.copied, [o for o in failure.live.operands if not o.is_leaf]
    if kept is None and len(there) == len(failure.live.operands) == 1:
        name = there[0].name
        says = f"`{name}` is the result of an operation, and is copied: {name}.detach().clone()"
        return says, *NONE
    if kept is None:
        says = (
            "what is copied holds the result of an operation: an attribute as `last`, kept detached"
        )
        norms = "nn.utils.weight_norm (parametrizations.weight_norm) or prune (prune.remove())"
        return f"{says}; or a weight under {norms}", *NONE
    if kept.made_from:
        says = f"`{kept.path}` is computed from `{kept.made_from}`, by weight_norm, spectral_norm or prune"
        says += ": those of nn.utils.parametrizations, or prune.remove() before the copy"
        return says, *NONE
    files = {frame.path for frame in failure.frames if frame.user} - {kept.file}
    word, texts = kept.name.encode(), failure.texts_of(files)
    unsure = kept.several or any(word in text for text in texts)
    fix = NONE if unsure else failure.mended_at_home(kept, "kept_detached")
    return f"`{kept.path}` holds the result of an operation: keep it detached", *fix


def are_sequences(failure: Failure) -> bool:
    """Whether lengths differ as those of sequences do: of batches the last alone is smaller."""
    failing = failure.live.failing
    lengths = [each.shape[0] for each in failing.tensors] if failing is not None else []
    return len(lengths) > 1 and (len(set(lengths[:-1])) > 1 or lengths[-1] > lengths[0])


def regrouped(groups: Groups | None) -> str:
    """How the groups of an optimizer differ from those that were saved."""
    if groups is None:
        return ""
    then, now = sum(groups.saved), sum(groups.here)
    sizes, mine = (_listed(each) for each in groups)
    says = f"saved were {then} parameters in groups of {sizes}"
    says = f"{says}, and this optimizer has {now} in groups of {mine}"
    cure = "make its groups as they were" if then == now else "make it for the same parameters"
    return f"{says}: {cure}"


def _listed(sizes: tuple[int, ...]) -> str:
    """Of many the first."""
    more = ", ..." if len(sizes) > MOST_GROUPS else ""
    return f"[{', '.join(str(size) for size in sizes[:MOST_GROUPS])}{more}]"


def index_of_floats(failure: Failure) -> tuple[str, Fix | None]:
    """Of indices that are no whole numbers: which they are, where the line tells."""
    if "index_select_out" in failure.message:
        return (
            "index_select is given floats: // in place of / where they are computed, or .long()",
            None,
        )
    floats = {o.name: o.dtype for o in failure.live.operands if "float" in o.dtype}
    masks = [o.name for o in failure.live.operands if o.dtype == "bool"]
    found = failure.mended("indexed_with", list(floats))
    if not found and any(failure.in_layer(kind) for kind in ("Embedding", "EmbeddingBag")):
        found = failure.fed, failure.refed("{}.long()")
    elif not found and (masked := failure.mended("indexed_with", masks)):
        return f"`{masked[0]}` is a mask, and an index is asked for: `x[mask]` takes one", None
    elif not found and len(floats) == 1:
        found = next(iter(floats)), failure.turned(next(iter(floats)), "{}.long()")
    if (not found or found[0] not in floats) and (takes := function_of_int64(failure)):
        return f"`{takes}` takes an index of int64, and gets another dtype: index.long()", None
    if not found or found[0] not in floats:
        cure = "index with .long()"
        if re.search(r"\b(?:Float|Double)|FloatTensor|DoubleTensor", failure.message):
            cure = "they are floats, as / makes them: // where they are computed, else .long()"
        return f"the indices are no integers of the right dtype: {cure}", None
    name, fix = found
    looked = failure.live.looked.get(name)
    says = f"`{name}` is {floats[name]}, and an index is of whole numbers"
    if looked is not None and looked.below_one:
        return f"{says}: all of its values lie below 1, as scores do", None
    return f"{says}: .long(), or int64 where it is made", fix


def drawn_from(failure: Failure) -> str:
    """What the one tensor of floats that multinomial was given holds in place of probabilities."""
    if len(failure.live.looked) != 1:
        return ""
    [(name, looked)] = failure.live.looked.items()
    if looked.nan:
        why = (
            "the scores before the softmax have overflowed or are all -inf, or the weights are NaN"
        )
        return f"`{name}` holds NaN: {why}"
    if looked.infinite:
        return f"`{name}` holds infinity: exp() or a division overflows where a softmax does not"
    if looked.rounded:
        return f"`{name}` holds numbers just below 0, as rounding leaves them: .clamp(min=0)"
    if looked.negative:
        return (
            f"`{name}` holds negative numbers and no NaN: scores take a softmax first, .softmax(-1)"
        )
    return f"a row of `{name}` is all zero: nothing can be drawn from it" if looked.empty else ""


def given_scores(failure: Failure) -> tuple[str, Fix | None] | None:
    """Where a Categorical is given numbers below zero for probabilities."""
    looked = failure.live.looked.get(failure.groups["name"])
    categorical = failure.passed_through("torch/distributions/categorical.py")
    if looked is None or not categorical or looked.nan or looked.infinite:
        return None
    if looked.rounded:
        return "holds numbers just below 0, as rounding leaves them: .clamp(min=0)", None
    if looked.negative:
        return "is given scores, with negative numbers: logits=", failure.mended("as_logits")
    return ("has a row that is all zero", None) if looked.empty else None


def hooked_and_changed(failure: Failure) -> tuple[str, Fix | None]:
    """Of what a layer with a full backward hook gives, or takes, and what changes that in place."""
    hooked, layer = failure.live.hooked, failure.live.layer
    whose = f"`{hooked[0]}`" if len(hooked) == 1 else "a layer"
    says = f"{whose} has a full backward hook, and what it gives or takes is changed in place"
    inside = failure.raised_in.endswith("torch/nn/functional.py")
    if inside and layer is not None and layer.settings.get("inplace") is True:
        fix: Fix | None = failure.mended("kept_whole", layer.path, layer.kind)
        return f"{says} by `{layer.path}` ({layer.kind}): inplace=False there", fix
    return f"{says}: a = a + 1, or inplace=False", failure.mended("kept_whole", "", "")


def in_graph_layer(failure: Failure) -> bool:
    """Whether a layer of PyTorch Geometric raised, or, where no traceback is there, one is called beside."""
    if failure.frames:
        return any(GRAPHS.search(frame.posix) for frame in failure.frames)
    shown = f"{failure.told}\n{failure.message}\n{failure.around}"
    known = failure.shows("torch_geometric") or failure.shows("edge_index")
    if not known:
        return PRINTED.search(shown) is not None and IN_FORWARD.search(shown) is not None
    return GRAPH_LAYER.search(f"{failure.message}\n{failure.around}") is not None


def edges_mended(failure: Failure) -> str:
    """What to do about edges that point outside."""
    code = failure.code.text if failure.code is not None else ""
    if failure.shows("cached=True") or "cached=True" in f"{failure.told}\n{code}":
        return "cached=True keeps the edges of the first graph, and is for one graph alone"
    return "number the nodes anew from 0, or give x a row for each"
