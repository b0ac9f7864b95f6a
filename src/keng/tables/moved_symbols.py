"""Names of torch and torchvision that are not where code looks for them, and why."""

from __future__ import annotations

from keng.tables import torch_history
from keng.tables.operators import forms_of
from keng.tables.removed_symbols import OLD_NAMES

DETRS = (
    "the file takes torchvision 0.10 and later for 0.1 or 0.2, as it compares three characters of the "
    "version: drop that branch, or compare tuple(map(int, torchvision.__version__.split('.')[:2]))"
)
CONVOLUTIONS = (
    "torch 1.11 put it into aten::convolution_backward, which the conv2d_gradfix.py of StyleGAN3 calls: that "
    "file, or torch<1.11"
)
GONE = {
    "torch.autograd.gradcheck.zero_gradients": (
        "it filled the gradients with zeros: x.grad = None, or x.grad.zero_()"
    ),
    "aten.cudnn_convolution_backward_": CONVOLUTIONS,
    "aten.cudnn_convolution_transpose_backward_": CONVOLUTIONS,
    "torch.utils.model_zoo": "moved to torch.hub",
    "torchvision.ops._new_empty_tensor": DETRS,
    "torchvision.ops.misc._NewEmptyTensorOp": DETRS,
    "torchvision.ops.misc._output_size": DETRS,
    "torch.nn._VF": "it is torch._VF since 1.5: a newer release of what asks for it, or torch<1.5",
    "torch.nn.backends": (
        "nothing is left of it since torch 1.3: a newer release of what asks for it, or torch<1.3"
    ),
    "torch.onnx.symbolic_registry": (
        "it went with torch 1.13: a newer release of what asks for it, or torch<1.13"
    ),
    "torch._C._distributed_c10d": (
        "this PyTorch was built without torch.distributed, as some for Windows, macOS and Jetson are; "
        "torch.distributed.is_available() tells"
    ),
    "torch._C._cudnn_": (
        "a private function of torch 0, for which the code is made: torch.utils.checkpoint and nn."
        "BatchNorm2d do today what it is called for, or a release of the code for a later torch"
    ),
    "torch._C._": (
        "a private name, which versions change: the code that asks for it is made for another torch, mostly "
        "an older one"
    ),
    "torch._six": (
        "a private module that lost its names one by one, and went with torch 2.0: collections.abc, str, int "
        "and math.inf in their place, or the torch of that code"
    ),
    "torchvision.transforms.functional._get_image_size": (
        "a private name of older versions: get_image_size of the same module"
    ),
}
CAME = {
    "torch.fx": (
        "it came to torch with 1.8, which does not import it by itself: a newer torch, or an older release "
        "of what asks for it"
    ),
    "torch.ao": "it came to torch with 1.9: a newer torch, or an older release of what asks for it",
    "torch.utils.tensorboard": "it came to torch with 1.1: a newer torch, or tensorboardX",
    "torch._C": (
        "it is PyTorch's compiled part: a checkout or another folder `torch` stands before the "
        "installed one, so start elsewhere, or the installation broke off, so install torch again"
    ),
    "torch.onnx._export": "a private name of older versions: torch.onnx.export takes the same arguments",
}
"""Names that came or went by themselves: of what is missing in them that tells nothing."""
FIRST = {
    "0.2": "nn.Upsample",
    "0.3": "onnx",
    "0.4": "no_grad enable_grad device tensor where set_grad_enabled",
    "1.0": "nn.CTCLoss nn.modules.loss.CTCLoss tensordot hub",
    "1.8": "linalg.solve linalg.svd linalg.qr linalg.eigh linalg.inv linalg.pinv linalg.slogdet",
}
"""Names that are older than the table of the versions, or not in it -> the torch that brought them."""
APART = (
    "_inductor.config _dynamo.config nn.utils.prune nn.attention.bias utils.benchmark utils.bottleneck "
    "utils.bundled_inputs "
    "utils.checkpoint utils.collect_env utils.cpp_extension utils.dlpack utils.flop_counter utils.mkldnn "
    "utils.mobile_optimizer utils.model_zoo utils.module_tracker utils.tensorboard distributed.algorithms "
    "distributed.checkpoint distributed.elastic distributed.fsdp distributed.launch distributed.nn "
    "distributed.optim distributed.pipelining distributed.rpc distributed.run distributed.tensor "
    "ao.quantization.quantize_fx quantization.quantize_fx backends.xnnpack cuda.comm fx.experimental "
    "onnx.verification multiprocessing.pool mps"
).split()
"""Modules below torch that `import torch` does not import, or did not in a version before."""


def told(module: str, name: str, as_attribute: bool) -> str:
    """One line about a module or name that is not there."""
    full = ".".join(part for part in (module, name) if part)
    change = torch_history.of_name(module, name)
    if as_attribute and full.removeprefix("torch.") in APART:
        since = f" (of torch {change.came} and later)" if change is not None else ""
        return f"`{full}` is not there: `import torch` leaves it out: import {full}{since}"
    why = next((why for gone, why in GONE.items() if full.startswith(gone)), CAME.get(full, ""))
    change = None if why else change
    old = OLD_NAMES.get(f"{change.place}.{change.name}") if change is not None else None
    if change is not None and (old is None or old.removed == change.gone):
        return torch_history.told(change, f"`{change.place}.{change.name}`")
    return f"`{full}` is not there: {why or _of_no_table(full)}"


def _of_no_table(full: str) -> str:
    short = full.removeprefix("torch.")
    since = next((version for version, names in FIRST.items() if short in names.split()), "")
    if not since and full == f"torch.{short}" and forms_of(short):
        since = "1.0"  # where the table of changes begins: it has no row for this name
    if since:
        return (
            f"every torch since {since} has it: an older one runs here, or a file or folder `torch` "
            "stands before it: print(torch.__version__, torch.__path__)"
        )
    if any(part.startswith("_") for part in full.split(".")):
        return (
            "a private name, which versions change: what asks for it is made for another version, see its "
            "requirements"
        )
    return "this version has it no longer, or not yet: see which package or file asks for it"
