"""Words that the layers go by: names of methods, wrappers and bases, from torch 2.13 and its company."""

from __future__ import annotations

TENSOR_ATTRIBUTES = frozenset({"T", "mT", "H", "mH", "data", "grad", "real", "imag"})

TENSOR_ONLY = frozenset(
    [
        "unsqueeze",
        "unsqueeze_",
        "requires_grad_",
        "masked_fill",
        "masked_fill_",
        "index_select",
        "log_softmax",
        "scatter_add",
        "scatter_add_",
        "type_as",
        "expand_as",
        "view_as",
        "new_zeros",
        "new_ones",
        "new_tensor",
        "detach_",
        "logsumexp",
        "addmm",
        "baddbmm",
        "bmm",
        "tril",
        "triu",
        "nll_loss",
        "backward_",
    ]
)
"""Methods that no other common type has."""

RESHAPES = frozenset(
    [
        "view",
        "reshape",
        "squeeze",
        "unsqueeze",
        "flatten",
        "contiguous",
        "to",
        "cuda",
        "cpu",
        "float",
        "double",
        "half",
        "bfloat16",
        "transpose",
        "permute",
        "clone",
        "view_as",
    ]
)
"""Tensor methods that keep the values."""

MODULE_CHAIN = frozenset(
    [
        "to",
        "cuda",
        "cpu",
        "train",
        "eval",
        "half",
        "float",
        "double",
        "bfloat16",
        "requires_grad_",
        "apply",
        "share_memory",
        "to_empty",
        "type",
    ]
)
"""Methods of a module that return the module."""

WRAPPERS = frozenset(
    [
        "tqdm",
        "trange",
        "iter",
        "list",
        "tuple",
        "reversed",
        "track",
        "progress_bar",
        "auto",
        "islice",
        "cycle",
        "prefetch",
    ]
)
"""Callables that give the items of their first argument."""

MODULE_BASES = frozenset(
    [
        "torch.nn.Module",
        "pytorch_lightning.LightningModule",
        "lightning.LightningModule",
        "lightning.pytorch.LightningModule",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.distributed.DistributedDataParallel",
        "torch.jit.ScriptModule",
        "transformers.PreTrainedModel",
        "torch.ao.nn.quantized.Linear",
        "torch.distributed.fsdp.FullyShardedDataParallel",
        "torch.optim.swa_utils.AveragedModel",
    ]
)

PARALLEL = frozenset(
    [
        "torch.nn.DataParallel",
        "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.nn.parallel.distributed.DistributedDataParallel",
    ]
)
"""What a model is wrapped in that several cards train."""

FACTORIES = (
    "torchvision.models.",
    "timm.create_model",
    "timm.models.create_model",
    "torch.hub.load",
    "transformers.AutoModel",
    "segmentation_models_pytorch.",
)
"""Dotted beginnings of functions that return a model."""


HOST_METHODS = {
    "item": "number",
    "dim": "number",
    "numel": "number",
    "nelement": "number",
    "tolist": "other",
    "numpy": "array",
    "backward": "other",
}
"""Tensor methods that leave torch -> the kind of what they give."""

WITH_WEIGHT = frozenset(
    f"torch.nn.{name}" for name in ("Linear", "Conv1d", "Conv2d", "Conv3d", "Embedding")
)
"""Layers whose `weight` is always a tensor."""
SEVERAL = {
    "RNN": ((0,), (1,)),
    "GRU": ((0,), (1,)),
    "LSTM": ((0,), (1, 0), (1, 1)),
    "LSTMCell": ((0,), (1,)),
    "MultiheadAttention": ((0,),),
}
"""Layers that give several tensors -> where they are in what is given."""
