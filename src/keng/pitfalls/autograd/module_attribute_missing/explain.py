"""Error messages: a module has no attribute of that name."""

from __future__ import annotations

import ast
import re
from difflib import get_close_matches

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared_explain import text_around
from keng.rules import explains
from keng.source import Code
from keng.tables.torch_names import MODULES

LAYERS = {*MODULES, "RecursiveScriptModule", "ScriptModule", "OptimizedModule"}
"""Classes of PyTorch's: where no frame tells whose class it is, only these are."""


LAYER_LIKE = re.compile(
    r"\w(?:Conv(?:\dd)?|Norm|Linear|Embed(?:ding)?|Net|Attention|For[A-Z][a-z]\w+|(?:LMHead|PreTrained)Model)$|"
    r"^(?:\w{0,30}Transformer|\w{0,30}(?:Conv|Attn|Attention|Res|Residual)|Basic|Down|Up|Dense|Mid)Block(?:\dD)?$"
)
"""Names that layers and models have in libraries over PyTorch."""

METHODS = re.compile(
    r"_?register_(?:forward|backward|full_backward|full_backward_pre|forward_pre|(?:load_)?state_dict(?:_pre|_post)?)_hook|"
    r"register_module|get_submodule|set_submodule|get_extra_state|set_extra_state|to_empty"
)
"""Methods of `nn.Module`, by names that nothing else has; most are newer than 0.2."""
LATER = re.compile(
    r"(?:Batch|Instance)Norm\dd (?:track_running_stats|num_batches_tracked)|"
    r"Upsample\w* recompute_scale_factor|Conv\w+ (?:padding_mode|_reversed_padding_repeated_twice)|"
    r"GELU approximate|AvgPool[23]d divisor_override|"
    r"(?:MultiheadAttention|Transformer\w*) (?:batch|norm)_first|CrossEntropyLoss label_smoothing|"
    r"(?:LSTM|GRU|RNN) (?:proj_size|_flat_weights(?:_names)?)|EmbeddingBag include_last_offset|"
    r"\w+ (?:_non_persistent_buffers_set|_is_full_backward_hook|"
    r"_backward_pre_hooks|_load_state_dict_post_hooks)"
)
"""Attributes that PyTorch's own layers have got since 0.3."""
NO_MODULES = frozenset(
    (
        "function method builtin_function_or_method list tuple str dict int NoneType OrderedDict "
        "Tensor Parameter"
    ).split()
)
HEADS = {
    **dict.fromkeys(("ResNet", "RegNet", "GoogLeNet", "Inception3", "ShuffleNetV2"), "fc"),
    **dict.fromkeys(("EfficientNet", "MobileNetV2", "MNASNet", "SqueezeNet"), "classifier[1]"),
    **dict.fromkeys(("VGG", "AlexNet"), "classifier[6]"),
    "ConvNeXt": "classifier[2]",
    "DenseNet": "classifier",
    "MaxVit": "classifier[5]",
    "MobileNetV3": "classifier[3]",
    "SwinTransformer": "head",
    "VisionTransformer": "heads.head",
}
"""How models of torchvision call their last layer."""
ASKED = frozenset({"fc", "_fc", "classifier", "head", "heads", "last_linear", "features"})
SIZES = frozenset({"in_features", "out_features"})
RECURRENT = frozenset({"LSTM", "GRU", "RNN"})
PLAIN = re.compile(
    r"(?:Alpha|Feature)?Dropout\w{0,2}|(?:Leaky)?ReLU6?|(?:Adaptive)?(?:Max|Avg)Pool\dd|Flatten|Identity|Sigmoid|Tanh|GELU|SiLU|Softmax"
)
WEIGHTS = frozenset({"weight", "bias"})
ASKED_SIZES = SIZES | {"in_channels", "out_channels", "num_features", "num_channels"}
OWN_SIZES = {
    "Linear": "in_features and out_features",
    "Conv": "in_channels and out_channels",
    "ConvTranspose": "in_channels and out_channels",
    "BatchNorm": "num_features",
    "InstanceNorm": "num_features",
    "LayerNorm": "normalized_shape",
    "GroupNorm": "num_channels",
    "Embedding": "num_embeddings and embedding_dim",
}
WINDOWS = frozenset({"kernel_size", "stride", "padding", "dilation", "groups"})
QUANTIZED = (
    ", as a quantized one has none, and needs none: without the call, or hasattr() before it"
)
OTHERS = {
    ("LSTM", "flatten_parameters"): QUANTIZED,
    ("GRU", "flatten_parameters"): QUANTIZED,
    ("GCNConv", "weight"): ", which is lin.weight since torch_geometric 2.0",
    ("RecursiveScriptModule", "forward"): (
        ", as its class had none, and other methods marked by torch.jit.export: call one of those"
    ),
}
TRANSFORMERS_CLIP = re.compile(r"(?:CLIP|Siglip|Align)\w{0,40}Model$")
FEATURES = {"encode_image": "get_image_features", "encode_text": "get_text_features"}
"""What OpenAI's CLIP calls it -> what that of transformers does."""
ENCODERS = {features: encoder for encoder, features in FEATURES.items()}
PICKLED = re.compile(r"\btorch\.load\(|\.pkl\b|\bpre-?trained model\b", re.IGNORECASE)
"""What people write of a file that may hold a whole model."""
MODELS = re.compile(r"(?:Model|Module|Net|Network|Classifier|Transformer|Encoder|Decoder)$")


@explains("no-such-attribute")
def no_such_attribute(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    last = failure.frames[-1].path if failure.frames else ""
    ours = kind in LAYERS or LAYER_LIKE.search(kind) is not None
    ours = ours or failure.kind.endswith("ModuleAttributeError")  # of torch 1.6 and 1.7
    ours = ours or (not kind[0].islower() and last.endswith("torch/nn/modules/module.py"))
    ours = ours or re.search(rf"class {kind}\([\w.]*Module\):", failure.surrounding) is not None
    near = (
        _encoder_of(kind, name) or _in_other_words(kind, name) or _never_kept(failure, kind, name)
    )
    near = near or _taken_for_a_file(failure, kind, name)
    ours = ours or bool(near)
    if method := _of_later_modules(kind, name):
        near, ours = method, True
    elif (kind in LAYERS or name[0] == "_") and LATER.fullmatch(f"{kind} {name}"):
        ours = True
        near = ", which later versions have: a file of an older PyTorch holds the whole model"
    if not ours:
        return
    if failure.code is not None:
        known = {*re.findall(r"\bself\.(\w+)(?:: \w+)? = ", failure.code.text)} - {name}
        close = get_close_matches(name, known, 1)
        near = near or "".join(f"; did you mean `{word}`?" for word in close)
    near = (
        near or _met_by_a_pickle(failure) or ("" if kind in LAYERS else _never_set(failure, name))
    )
    inside = _told_of_a_property(failure, kind, name)
    fix = None if inside else _meant(failure, kind, name)
    yield failure.hit(inside or f"a {kind} has no {name}{near}", fix)


@explains("not-among-the-submodules")
def not_among_the_submodules(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(say("has-no-names-model", kind=kind, name=name))


@explains("not-told-in-old-versions")
def not_told_in_old_versions(failure: Failure) -> Hits:
    yield failure.hit(say("module-has-no-attribute"))


@explains("no-such-layer")
def no_such_layer(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/modules/container.py"):
        yield failure.hit(say("there-no-layer-they", index=failure.groups["index"]))


def _encoder_of(kind: str, name: str) -> str:
    """Whose method it is that a class lacks, of those by which a CLIP gives features."""
    if kind == "tuple" and name in FEATURES:
        return ", as clip.load gives two things: model, preprocess = clip.load(...)"
    if not kind[0].isupper() or kind.endswith("Parallel") or name not in FEATURES | ENCODERS:
        return ""
    if name in ENCODERS:
        return (
            f", which CLIPModel of transformers has: with clip or open_clip it is {ENCODERS[name]}"
        )
    if TRANSFORMERS_CLIP.search(kind):
        return (
            f", which clip and open_clip have: the whole model of transformers has {FEATURES[name]}"
        )
    return ", a method of CLIP itself: of the model that clip.load or open_clip has made"


def _in_other_words(kind: str, name: str) -> str:
    """What a layer or a model has in place of what is asked of it; nothing of others."""
    told = _of_weights(kind, name) or _of_sizes(kind, name) or OTHERS.get((kind, name), "")
    if told:
        return told
    if kind in ("Sequential", "ModuleList") and name.isdigit():
        return ", as it has fewer layers, which count from 0, or calls them by names"
    if kind not in HEADS or name not in ASKED:
        return ""
    if name == "features":
        return ", in torchvision: nn.Sequential(*list(model.children())[:-1]) is all but its last layer"
    return f": in torchvision its last layer is {HEADS[kind]}"


def _of_weights(kind: str, name: str) -> str:
    if kind in RECURRENT and name in WEIGHTS:
        return f", but {name}_ih_l0 and {name}_hh_l0, and so on for each of its layers"
    if kind in ("Sequential", "ModuleList") and name in WEIGHTS:
        return f", as one of its layers has: [-1].{name} of the last"
    if PLAIN.fullmatch(kind) and name in WEIGHTS:
        return ", as it has no parameters: isinstance(layer, nn.Conv2d), or whose they are, first"
    return ""


def _of_sizes(kind: str, name: str) -> str:
    """What a layer calls its sizes, or which layer has those that are asked for."""
    own = OWN_SIZES.get(re.sub(r"\dd$", "", kind), "")
    if own and name in WINDOWS and not kind.startswith("Conv"):
        return ", which convolutions have: isinstance(layer, nn.Conv2d) first"
    if kind == "Sequential" and name in SIZES:
        return f", as one of its layers has: [-1].{name} of the last"
    if name not in ASKED_SIZES:
        return ""
    if own:
        return f", whose sizes are called {own}"
    if kind == "Identity":
        return ", as it has replaced the last layer: that one's, before it is replaced"
    plain = ", as it has no parameters: of the layer beside it, as classifier[-1]"
    return plain if PLAIN.fullmatch(kind) else ""


def _never_kept(failure: Failure, kind: str, name: str) -> str:
    """Where the constructor of a module that is shown takes what is missing, and sets it nowhere."""
    text = failure.code.text if failure.code is not None else text_around(failure)
    head = rf"class {re.escape(kind)}\([\w., ]{{0,80}}Module\):"
    _, made, body = text.partition(found[0]) if (found := re.search(head, text)) else ("",) * 3
    whole = re.split(r"^class ", body, maxsplit=1, flags=re.MULTILINE)[0]
    takes = re.search(r"def __init__\((?P<takes>[^()]{0,600})\)", whole)
    if not made or takes is None or not re.search(rf"\b{re.escape(name)}\b", takes["takes"]):
        return ""
    kept = re.search(rf"self\.{re.escape(name)} {{0,4}}(?::[^=\n]{{1,40}})?=(?!=)", whole)
    return "" if kept else f", whose __init__ takes it and does not keep it: self.{name} = {name}"


def _taken_for_a_file(failure: Failure, kind: str, name: str) -> str:
    """Where a class is asked of a model, by a name that was a file's: `model.Classifier(...)`."""
    if not re.match(r"[A-Z]\w*[a-z]", name) or not MODELS.search(kind):
        return ""
    text = failure.line or f"{failure.surrounding}\n{failure.context}\n{failure.message}"
    asked = re.search(rf"(?<![.\w])(?P<name>[a-z]\w{{0,40}})\.{re.escape(name)}\(", text)
    ours = re.search("torch|lightning", f"{text}\n{failure.raised_in}", re.IGNORECASE)
    if asked is None or asked["name"] == "self" or ours is None:
        return ""
    return (
        f": `{asked['name']}` is a model here, and was to be the file that has the class `{name}`: "
        f"from ... import {name}, and another name for one of the two"
    )


def _of_later_modules(kind: str, name: str) -> str:
    """Of a method that modules have, and this one has not."""
    if METHODS.fullmatch(name) and kind in NO_MODULES:
        return ", as it is no module: the layer itself, see model.named_modules()"
    later = ", which modules of a later PyTorch have: what asks for it wants that"
    return later if METHODS.fullmatch(name) else ""


def _met_by_a_pickle(failure: Failure) -> str:
    """Why an attribute may be missing of an object that came out of a file, where no code is shown."""
    if failure.place is not None or PICKLED.search(f"{failure.context}\n{failure.message}") is None:
        return ""
    return (
        ", as where a model that was pickled whole meets another version of its class: the code it was "
        "saved by, or a state dict"
    )


def _never_set(failure: Failure, name: str) -> str:
    """What may be behind an attribute of a class of one's own of which nothing more is shown."""
    if re.search(rf"(?<!self)\.{re.escape(name)}\(", failure.line):
        return ": misspelt, of another version of the class, or a method of what wraps it elsewhere"
    return (
        ": its __init__ sets no such name (misspelt, under an `if`, or later), or the object comes whole "
        "from a file of other code"
    )


def _told_of_a_property(failure: Failure, kind: str, name: str) -> str:
    """Where what is said not to be there is a property of a class that is shown."""
    text = failure.code.text if failure.code is not None else text_around(failure)
    head = r"@(?:\w{1,40}\.)?(?:cached_)?property\s{1,80}def "
    if re.search(rf"{head}{re.escape(name)}\(self\b", text) is None:
        return ""
    says = f"`{name}` is a property of {kind}, and an AttributeError inside of it is told as this"
    return f"{says}: {kind}.{name}.fget(obj) shows what is missing there"


def _meant(failure: Failure, kind: str, name: str) -> Fix | None:
    """Where one attribute of the class alone differs by a slip of the hand."""
    known = _kept_by(failure.code, kind) if failure.code is not None else set()
    close = [each for each in known if _slipped(name, each)]
    fix: Fix | None = failure.ask_line(_renamed, name, close[0]) if len(close) == 1 else None
    return fix


def _kept_by(code: Code, kind: str) -> set[str]:
    """The attributes that the one class of this name in the file puts on `self`."""
    owners = [c for c in code.of(ast.ClassDef) if c.name == kind]
    return set(code.classes.attributes(owners[0])) if len(owners) == 1 else set()


def _slipped(name: str, meant: str) -> bool:
    """Whether two names differ in case and underscores alone, in two letters changed round, or in one that
    is missing; a number or a plural makes another name."""
    one, other = (text.replace("_", "").lower() for text in (name, meant))
    short, long = sorted((one, other), key=len)
    without = {long[:n] + long[n + 1 :] for n in range(len(long))}
    lost = short in without and long != f"{short}s"
    numbers = re.findall(r"\d", one) == re.findall(r"\d", other)
    return numbers and (one == other or lost or sorted(one) == sorted(other))


def _renamed(code: Code, line: int, name: str, meant: str) -> Fix | None:
    """A fix that writes another attribute where a line has one of this name once."""
    here = [n for n in code.tree.on_line(line, ast.Attribute) if n.attr == name]
    if len(here) != 1:
        return None
    return Fix(
        say("write-form", form=meant), (code.edits.rename_attribute(here[0], meant),), "shown"
    )
