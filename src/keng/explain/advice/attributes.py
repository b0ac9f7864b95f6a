"""What a module has in place of an attribute that is asked of it."""

from __future__ import annotations

import re

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


def in_other_words(kind: str, name: str) -> str:
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


def of_later_modules(kind: str, name: str) -> str:
    """Of a method that modules have, and this one has not."""
    if METHODS.fullmatch(name) and kind in NO_MODULES:
        return ", as it is no module: the layer itself, see model.named_modules()"
    later = ", which modules of a later PyTorch have: what asks for it wants that"
    return later if METHODS.fullmatch(name) else ""
