# ruff: noqa: E501  (a row is a line)
"""Names of torch and its company that were renamed, replaced or taken away.

Read from the sources of torch 2.13.0 (its `@deprecated`, its FutureWarnings, what its C++ warns of), from
the release notes of 1.x and 2.x, and checked against TorchFix 0.7.0, whose every symbol is here. A row:

    name | since | removed | heard | now
    name | since | removed | heard | now | note

since    a version that has what `now` says; for older ones the old name is right
removed  a version that no longer has the old name; "-" while it is there
heard    "loud" where torch warns or fails, "quiet" where only its documentation says so, or a
         DeprecationWarning, which Python does not show
note     what has to be known of it too: the names are those of the pitfall api-deprecated
now      "= name" for another name of the same, "~ name" for one that differs in details, for all else what is
         used in its place, "-" where nothing is.
         A call may be given a pattern: `_` is an argument by position, `x=_` one that has a name now, `...`
         all that are left, as they come.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple


class Old(NamedTuple):
    since: str
    removed: str
    loud: bool
    now: str
    note: str

    @property
    def safety(self) -> Literal["safe", "unsafe", ""]:
        """ "" where `now` is only shown and cannot be written in place of the name."""
        match self.now[0]:
            case "=":
                return "safe"
            case "~":
                return "unsafe"
        return ""

    @property
    def new(self) -> str:
        return self.now[2:] if self.safety else self.now

    @property
    def shown(self) -> str:
        """What a reader should write: `torch.linalg.qr(...)`; several are separated by " / "."""
        return re.sub(r"\w+=_, ", "", self.new).replace("(_)", "(...)")


ROWS = """
torch.qr | 1.9  | -    | loud  | = torch.linalg.qr(_)
torch.cholesky | 1.9  | -    | loud  | = torch.linalg.cholesky(_)
torch.chain_matmul | 1.9  | -    | loud  | = torch.linalg.multi_dot([...])
torch.symeig | 1.9  | 2.0  | loud  | torch.linalg.eigh / torch.linalg.eigvalsh | reads-lower-triangle
torch.eig | 1.9  | 1.13 | loud  | torch.linalg.eig / torch.linalg.eigvals | gives-complex
torch.solve | 1.9  | 1.12 | loud  | torch.linalg.solve(A, B) | matrix-first
torch.lstsq | 1.9  | 1.13 | loud  | torch.linalg.lstsq(A, B).solution | matrix-first
torch.matrix_rank | 1.9  | 1.13 | loud  | = torch.linalg.matrix_rank(_)
torch.svd | 1.9  | -    | quiet | torch.linalg.svd | v-transposed
torch.norm | 1.9  | -    | quiet | torch.linalg.vector_norm / torch.linalg.matrix_norm
torch.triangular_solve | 1.11 | -    | loud  | torch.linalg.solve_triangular(A, B, upper=...) | matrix-first
torch.lu | 1.13 | -    | loud  | torch.linalg.lu_factor
torch.lu_solve | 1.13 | -    | loud  | torch.linalg.lu_solve(LU, pivots, B)
torch.ger | 1.8  | -    | quiet | = torch.outer
torch.orgqr | 1.9  | -    | quiet | = torch.linalg.householder_product
torch.range | 1.0  | -    | loud  | torch.arange | end-left-out
torch.gels | 1.2  | 1.3  | loud  | torch.linalg.lstsq(A, B).solution | matrix-first
torch.gesv | 1.1  | 1.2  | loud  | torch.linalg.solve(A, B) | matrix-first
torch.potrf | 1.1  | 1.2  | loud  | torch.linalg.cholesky | gives-lower-triangle
torch.potrs | 1.1  | 1.2  | loud  | torch.cholesky_solve
torch.potri | 1.1  | 1.2  | loud  | torch.cholesky_inverse
torch.pstrf | 1.1  | 1.2  | loud  | torch.linalg.cholesky | no-pivot
torch.trtrs | 1.1  | 1.2  | loud  | torch.linalg.solve_triangular(A, B, upper=...)
torch.btrifact | 1.1  | 1.2  | loud  | torch.linalg.lu_factor
torch.btrisolve | 1.1  | 1.2  | loud  | torch.linalg.lu_solve(LU, pivots, B)
torch.rfft | 1.7  | 1.8  | loud  | torch.fft.rfftn / torch.fft.fftn | gives-complex
torch.irfft | 1.7  | 1.8  | loud  | torch.fft.irfftn | takes-complex
torch.ifft | 1.7  | 1.8  | loud  | torch.fft.ifftn | takes-complex
torch.Tensor.symeig | 1.9  | 2.0  | loud  | torch.linalg.eigh / torch.linalg.eigvalsh | reads-lower-triangle
torch.Tensor.eig | 1.9  | 1.13 | loud  | torch.linalg.eig / torch.linalg.eigvals | gives-complex
torch.Tensor.solve | 1.9  | 1.12 | loud  | torch.linalg.solve(A, B) | matrix-first
torch.Tensor.lstsq | 1.9  | 1.13 | loud  | torch.linalg.lstsq(A, B).solution | matrix-first
torch.is_deterministic | 1.8  | 1.10 | loud  | = torch.are_deterministic_algorithms_enabled
torch.set_deterministic | 1.8  | 1.10 | loud  | = torch.use_deterministic_algorithms
torch.set_default_tensor_type | 2.1  | -    | loud  | torch.set_default_dtype / torch.set_default_device
torch.get_autocast_gpu_dtype | 2.4  | -    | quiet | = torch.get_autocast_dtype("cuda", ...)
torch.set_autocast_gpu_dtype | 2.4  | -    | quiet | = torch.set_autocast_dtype("cuda", ...)
torch.is_autocast_cpu_enabled | 2.4  | -    | quiet | = torch.is_autocast_enabled("cpu", ...)
torch.get_autocast_cpu_dtype | 2.4  | -    | quiet | = torch.get_autocast_dtype("cpu", ...)
torch.set_autocast_cpu_dtype | 2.4  | -    | quiet | = torch.set_autocast_dtype("cpu", ...)
torch.set_autocast_cpu_enabled | 2.4  | -    | quiet | = torch.set_autocast_enabled("cpu", ...)
torch.cuda.amp.autocast | 2.4  | -    | loud  | = torch.amp.autocast("cuda", enabled=_, dtype=_, cache_enabled=_, ...)
torch.cuda.amp.GradScaler | 2.4  | -    | loud  | = torch.amp.GradScaler("cuda", ...)
torch.cuda.amp.custom_fwd | 2.4  | -    | loud  | = torch.amp.custom_fwd(..., device_type="cuda")
torch.cuda.amp.custom_bwd | 2.4  | -    | loud  | = torch.amp.custom_bwd(..., device_type="cuda")
torch.cuda.amp.autocast_mode.autocast | 2.4  | -    | loud  | = torch.amp.autocast("cuda", enabled=_, dtype=_, cache_enabled=_, ...)
torch.cuda.amp.grad_scaler.GradScaler | 2.4  | -    | loud  | = torch.amp.GradScaler("cuda", ...)
torch.cpu.amp.autocast | 2.4  | -    | loud  | = torch.amp.autocast("cpu", enabled=_, dtype=_, cache_enabled=_, ...)
torch.cpu.amp.GradScaler | 2.4  | -    | loud  | = torch.amp.GradScaler("cpu", ...)
torch.cuda.memory_cached | 1.4  | -    | loud  | = torch.cuda.memory_reserved
torch.cuda.max_memory_cached | 1.4  | -    | loud  | = torch.cuda.max_memory_reserved
torch.cuda.reset_max_memory_allocated | 1.4  | -    | loud  | ~ torch.cuda.reset_peak_memory_stats
torch.cuda.reset_max_memory_cached | 1.4  | -    | loud  | ~ torch.cuda.reset_peak_memory_stats
torch.backends.cuda.sdp_kernel | 2.3  | -    | loud  | torch.nn.attention.sdpa_kernel([...]) | list-of-backends
torch.accelerator.current_device_idx | 2.6  | -    | loud  | = torch.accelerator.current_device_index
torch.accelerator.set_device_idx | 2.6  | -    | loud  | = torch.accelerator.set_device_index
torch.nn.functional.upsample | 0.4.1 | -    | loud  | = torch.nn.functional.interpolate
torch.nn.functional.upsample_nearest | 0.4.1 | -    | loud  | = torch.nn.functional.interpolate(..., mode="nearest")
torch.nn.functional.upsample_bilinear | 0.4.1 | -    | loud  | = torch.nn.functional.interpolate(..., mode="bilinear", align_corners=True)
torch.nn.UpsamplingNearest2d | 0.4.1 | -    | quiet | = torch.nn.Upsample(..., mode="nearest")
torch.nn.UpsamplingBilinear2d | 0.4.1 | -    | quiet | = torch.nn.Upsample(..., mode="bilinear", align_corners=True)
torch.nn.NLLLoss2d | 0.3  | -    | loud  | = torch.nn.NLLLoss
torch.nn.Container | 0.2  | -    | loud  | class Net(torch.nn.Module)
torch.nn.parallel.DistributedDataParallelCPU | 1.0  | -    | loud  | = torch.nn.parallel.DistributedDataParallel
torch.nn.utils.clip_grad_norm | 0.4  | -    | loud  | = torch.nn.utils.clip_grad_norm_
torch.nn.utils.weight_norm | 2.1  | -    | loud  | ~ torch.nn.utils.parametrizations.weight_norm
torch.nn.utils.stateless.functional_call | 2.0  | -    | loud  | = torch.func.functional_call
torch.nn.init.uniform | 0.4  | -    | loud  | = torch.nn.init.uniform_
torch.nn.init.normal | 0.4  | -    | loud  | = torch.nn.init.normal_
torch.nn.init.constant | 0.4  | -    | loud  | = torch.nn.init.constant_
torch.nn.init.eye | 0.4  | -    | loud  | = torch.nn.init.eye_
torch.nn.init.dirac | 0.4  | -    | loud  | = torch.nn.init.dirac_
torch.nn.init.xavier_uniform | 0.4  | -    | loud  | = torch.nn.init.xavier_uniform_
torch.nn.init.xavier_normal | 0.4  | -    | loud  | = torch.nn.init.xavier_normal_
torch.nn.init.kaiming_uniform | 0.4  | -    | loud  | = torch.nn.init.kaiming_uniform_
torch.nn.init.kaiming_normal | 0.4  | -    | loud  | = torch.nn.init.kaiming_normal_
torch.nn.init.orthogonal | 0.4  | -    | loud  | = torch.nn.init.orthogonal_
torch.nn.init.sparse | 0.4  | -    | loud  | = torch.nn.init.sparse_
torch.optim.lr_scheduler._LRScheduler | 2.0  | -    | quiet | = torch.optim.lr_scheduler.LRScheduler
torch.utils.data._utils.collate.default_collate | 1.11 | -    | quiet | = torch.utils.data.default_collate
torch.utils.data._utils.collate.default_convert | 1.11 | -    | quiet | = torch.utils.data.default_convert
torch.utils.data.dataset.random_split | 1.2  | -    | quiet | = torch.utils.data.random_split
torch.utils._pytree._register_pytree_node | 2.2  | -    | loud  | = torch.utils._pytree.register_pytree_node
torch.utils._pytree._is_leaf | 2.12 | -    | loud  | = torch.utils._pytree.tree_is_leaf
torch.utils.ffi | 0.4.1 | 1.0  | loud  | torch.utils.cpp_extension | cpp-not-c
torch.utils.bottleneck | 1.8  | 2.10 | loud  | torch.profiler
torch.autograd.profiler_legacy.profile | 1.8  | -    | loud  | torch.profiler.profile
torch.autograd.function.traceable | 1.5  | 2.4  | loud  | -
torch._six | 1.13 | 2.0  | loud  | torch.inf / str / collections.abc
torch._utils.is_compiling | 2.3  | -    | loud  | = torch.compiler.is_compiling
torch._vmap_internals.vmap | 1.13 | -    | loud  | = torch.vmap
torch.testing.assert_allclose | 1.12 | -    | loud  | ~ torch.testing.assert_close
torch.testing.get_all_dtypes | 1.12 | 2.13 | loud  | [torch.float32, ...]
torch.testing.rand | 1.12 | 2.13 | loud  | = torch.rand
torch.distributed.reduce_op | 1.0  | -    | loud  | = torch.distributed.ReduceOp
torch.distributed._all_gather_base | 1.13 | -    | loud  | = torch.distributed.all_gather_into_tensor
torch.distributed._reduce_scatter_base | 1.13 | -    | loud  | = torch.distributed.reduce_scatter_tensor
torch.distributed.all_gather_into_tensor | 2.13 | -    | loud  | = torch.distributed.all_gather_single
torch.distributed.reduce_scatter_tensor | 2.13 | -    | loud  | = torch.distributed.reduce_scatter_single
torch.distributed.all_reduce_multigpu | 1.13 | 2.2  | loud  | torch.distributed.all_reduce | one-process-a-card
torch.distributed.broadcast_multigpu | 1.13 | 2.2  | loud  | torch.distributed.broadcast | one-process-a-card
torch.distributed.checkpoint.save_state_dict | 2.3  | -    | loud  | torch.distributed.checkpoint.save
torch.distributed.checkpoint.load_state_dict | 2.3  | -    | loud  | torch.distributed.checkpoint.load
torch.distributed.pipeline.sync | 2.4  | 2.4  | loud  | torch.distributed.pipelining
torch.distributed.rpc.ProcessGroupRpcBackendOptions | 1.8  | 1.10 | loud  | torch.distributed.rpc.TensorPipeRpcBackendOptions
torch.jit.script | 2.9  | -    | quiet | torch.compile / torch.export.export
torch.jit.trace | 2.9  | -    | quiet | torch.compile / torch.export.export
torch.jit.freeze | 2.9  | -    | quiet | torch.compile
torch.jit.optimize_for_inference | 2.9  | -    | quiet | torch.compile
torch.quantization.quantize_dynamic | 2.8  | -    | quiet | torchao.quantization.quantize_
torch.quantization.quantize_qat | 2.8  | -    | quiet | torchao.quantization
torch.quantization.prepare | 2.8  | -    | quiet | torchao.quantization
torch.quantization.prepare_qat | 2.8  | -    | quiet | torchao.quantization
torch.quantization.convert | 2.8  | -    | quiet | torchao.quantization
torch.ao.quantization.quantize_dynamic | 2.8  | -    | quiet | torchao.quantization.quantize_
torch.ao.quantization.get_default_qconfig_dict | 1.13 | -    | loud  | = torch.ao.quantization.get_default_qconfig_mapping
torch.onnx.dynamo_export | 2.6  | 2.9  | loud  | torch.onnx.export(..., dynamo=True)
torch.onnx.ExportOptions | 2.6  | 2.9  | loud  | torch.onnx.export(...)
torch.onnx.export_to_pretty_string | 2.5  | 2.6  | loud  | torch.onnx.export(...).model_proto
torch.export.export_for_training | 2.9  | 2.11 | loud  | = torch.export.export
torch._export.capture_pre_autograd_graph | 2.5  | 2.11 | loud  | torch.export.export(...).module()
torch.library.impl_abstract | 2.4  | -    | loud  | = torch.library.register_fake
functorch.vmap | 2.0  | -    | loud  | = torch.func.vmap
functorch.grad | 2.0  | -    | loud  | = torch.func.grad
functorch.grad_and_value | 2.0  | -    | loud  | = torch.func.grad_and_value
functorch.vjp | 2.0  | -    | loud  | = torch.func.vjp
functorch.jvp | 2.0  | -    | loud  | = torch.func.jvp
functorch.jacrev | 2.0  | -    | loud  | = torch.func.jacrev
functorch.jacfwd | 2.0  | -    | loud  | = torch.func.jacfwd
functorch.hessian | 2.0  | -    | loud  | = torch.func.hessian
functorch.functionalize | 2.0  | -    | loud  | = torch.func.functionalize
functorch.make_functional | 2.0  | -    | loud  | torch.func.functional_call(model, parameters, args)
functorch.make_functional_with_buffers | 2.0  | -    | loud  | torch.func.functional_call(model, (parameters, buffers), args)
functorch.combine_state_for_ensemble | 2.0  | -    | loud  | torch.func.stack_module_state
torchvision.transforms.v2.ToTensor | 2.1  | -    | loud  | v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
"""


def _read() -> dict[str, Old]:
    rows = [[cell.strip() for cell in line.split("|")] for line in ROWS.strip().splitlines()]
    return {
        name: Old(since, removed.strip("-"), heard == "loud", now, "".join(note))
        for name, since, removed, heard, now, *note in rows
    }


OLD_NAMES = _read()
"""Dotted name -> what is known of it."""
GONE_MODULES = frozenset(
    {"torch._six", "torch.utils.ffi", "torch.utils.bottleneck", "torch.distributed.pipeline.sync"}
)
"""Those of them that are modules; `torch.nn.utils.weight_norm` is one too, but it is its function that is
meant."""


def written_now(name: str) -> str:
    """What can be written in place of a dotted name; "" where it is only shown."""
    old = OLD_NAMES.get(name)
    return old.new if old is not None and old.safety else ""


TORCHVISION_MODELS = "torchvision.models."
WITHOUT_WEIGHTS = frozenset({"vit_h_14", "regnet_y_128gf"})
"""Models of torchvision whose `pretrained=True` never had weights."""
NEW_ARGUMENTS = {"pretrained": "weights", "pretrained_backbone": "weights_backbone"}
"""Arguments of torchvision's models up to 0.12, of the time of torch 1.11, and what they are called since."""
