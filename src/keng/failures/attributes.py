"""What a module has in place of an attribute that is asked of it."""

from __future__ import annotations

import re

METHODS = re.compile(
    r"_?register_(?:forward|backward|full_backward|full_backward_pre|forward_pre|(?:load_)?state_dict(?:_pre|_post)?)_hook|"
    r"register_module|get_submodule|set_submodule|get_extra_state|set_extra_state|to_empty"
)
"""Methods of `nn.Module`, by names that nothing else has; most are newer than 0.2."""
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
QUANTIZED = (
    ", as a quantized one has none, and needs none: without the call, or hasattr() before it"
)
OTHERS = {
    ("LSTM", "flatten_parameters"): QUANTIZED,
    ("GRU", "flatten_parameters"): QUANTIZED,
    ("RecursiveScriptModule", "forward"): (
        ", as its class had none, and other methods marked by torch.jit.export: call one of those"
    ),
}


def in_other_words(kind: str, name: str) -> str:
    """What a model of that class has in place of a head or of its features; nothing of others."""
    if kind in RECURRENT and name in WEIGHTS:
        return f", but {name}_ih_l0 and {name}_hh_l0, and so on for each of its layers"
    if PLAIN.fullmatch(kind) and name in WEIGHTS:
        return ", as it has no parameters: isinstance(layer, nn.Conv2d), or whose they are, first"
    if (kind, name) in OTHERS:
        return OTHERS[kind, name]
    if kind in ("Sequential", "ModuleList") and name.isdigit():
        return ", as it has fewer layers, which count from 0, or calls them by names"
    if kind == "GCNConv" and name == "weight":
        return ", which is lin.weight since torch_geometric 2.0"
    if kind == "Sequential" and name in SIZES:
        return f", as one of its layers has: [-1].{name} of the last"
    if kind not in HEADS or name not in ASKED:
        return ""
    if name == "features":
        return ", in torchvision: nn.Sequential(*list(model.children())[:-1]) is all but its last layer"
    return f": in torchvision its last layer is {HEADS[kind]}"


def of_later_modules(kind: str, name: str) -> str:
    """Of a method that modules have, and this one has not."""
    if METHODS.fullmatch(name) and kind in NO_MODULES:
        return ", as it is no module: the layer itself, see model.named_modules()"
    later = ", which modules of a later PyTorch have: what asks for it wants that"
    return later if METHODS.fullmatch(name) else ""
