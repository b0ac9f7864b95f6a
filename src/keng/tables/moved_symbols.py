"""Names of torch that are not where code looks for them."""

from __future__ import annotations

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
