r"""An operation has no kernel for this dtype on this device.

Every operation is written for some dtypes on each device. Half precision on the CPU is the most frequent
gap: convolutions, matrix products and normalizations came there between 2.0 and 2.3, others are still
missing, so a model that was made for the GPU with `.half()` fails where no GPU is found. Boolean and
unsigned tensors lack arithmetic.

Cure: float32 on the CPU, `model.float()`, or `torch.bfloat16` under autocast; for whole numbers
`.float()` or `.long()`; a newer PyTorch has more kernels.

Bad (whole numbers):

```python
import torch
import torch.nn.functional as F

votes = torch.tensor([[1, 2, 3]])
chances = F.softmax(votes, dim=1)  # seen: `has no kernel for Long`
```

Bad (masks of floats):

```python
import torch

prices = torch.tensor([0.5, 2.0])
both = prices & prices  # seen: `x > 0`
```

Bad (complex numbers):

```python
import torch

wave = torch.fft.fft(torch.ones(4))
high = wave > 1  # seen: `z.abs()`
```

Good:

```python
import torch
import torch.nn.functional as F

votes = torch.tensor([[1, 2, 3]])
chances = F.softmax(votes.float(), dim=1)
```

Message (torch 1.6 to 1.13, of complex numbers; `a newer PyTorch, which moves`):

```text
RuntimeError: "index_fill_cpu" not implemented for 'ComplexFloat'
```

Message (torch 1.10 to 2.13, of complex numbers in half precision; `torch.complex64`):

```text
RuntimeError: "copy_" not implemented for 'ComplexHalf'
```

Message (torch 1.13 and 2.0, CPU; `half precision on the CPU`):

```text
RuntimeError: "slow_conv2d_cpu" not implemented for 'Half'
```

Message (torch 1.13, CPU; `half precision on the CPU, mostly`):

```text
RuntimeError: "LayerNormKernelImpl" not implemented for 'Half'
```

Message (torch 2.0, CPU):

```text
RuntimeError: "addmm_impl_cpu_" not implemented for 'Half'
```

Message (torch 2.4, CUDA; `labels are long`):

```text
RuntimeError: "nll_loss_forward_reduce_cuda_kernel_2d_index" not implemented for 'Float'
```

Message (torch 1.13 to 2.13, on a Mac; `MPS_FALLBACK`):

```text
NotImplementedError: The operator 'aten::_unique2' is not currently implemented for the MPS device. If you want this op to be added in priority during the prototype phase of this feature, please comment on https://github.com/pytorch/pytorch/issues/77764.
```

Message (torch 1.12 to 2.2, on a Mac; `cumsum`):

```text
RuntimeError: MPS does not support cumsum op with int64 input
```

Message (torch 1.12 to 2.2, on a Mac; `Conv3D`):

```text
RuntimeError: Conv3D is not supported on MPS
```

Message (torch 2.0 to 2.13, on a Mac; `power`):

```text
RuntimeError: MPS: power op with int64 input is supported natively starting from macOS 13.2.
```

Message (torch 1.0 to 1.6; `_thnn_conv2d_forward`):

```text
RuntimeError: _thnn_conv2d_forward not supported on CPUType for Half
```

Message (torch 1.0 to 1.4; `exp_vml_cpu`):

```text
RuntimeError: exp_vml_cpu not implemented for 'Long'
```

Message (torch 1.10 to 2.13; `bfloat16`):

```text
RuntimeError: Current CUDA Device does not support bfloat16. Please switch dtype to float16.
```

Message (torchvision, on a Mac; `nms`):

```text
NotImplementedError: The operator 'torchvision::nms' is not currently implemented for the MPS device.
```

Message (torch 2.2 to 2.6; `Output channels > 65536`):

```text
NotImplementedError: Output channels > 65536 not supported at the MPS device. As a temporary fix, you can set the environment variable `PYTORCH_ENABLE_MPS_FALLBACK=1` to use the CPU as a fallback for this op.
```

Message (transformers; `or no card is seen`):

```text
ValueError: Your setup doesn't support bf16/gpu. You need torch>=1.10, using Ampere GPU with cuda>=11.0
```

Message (accelerate; `bf16`):

```text
ValueError: bf16 mixed precision requires PyTorch >= 1.10 and a supported device.
```

Message (vLLM; `Bfloat16`):

```text
ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5. You can use float16 instead by explicitly setting the`dtype` flag in CLI, for example: --dtype=half.
```

Message (diffusers; `float16`):

```text
Pipelines loaded with `dtype=torch.float16` cannot run with `cpu` device. It is not recommended to move them to `cpu` as running them will fail.
```

Message (Triton 3, before compute capability 8.9; `fp8e4nv`):

```text
ValueError: type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')
```

Message (Intel's Arc, torch 1.13 to 2.13; `float64`):

```text
RuntimeError: Native API failed. Native API returns: -996 (Function exists but address is not available)
invalid_kernel("uses-fp64-math")
 -996 (Function exists but address is not available)
```

Message (Intel's Arc, torch 2.3 to 2.13; `float64`):

```text
RuntimeError: Required aspect fp64 is not supported on the device
```

Message (torch 2.1 to 2.13, a Mac; `Float8_e4m3fn`):

```text
TypeError: Trying to convert Float8_e4m3fn to the MPS backend but it does not have support for that dtype.
```

Message (torch 0.1 to 0.3; `histc`):

```text
TypeError: Type torch.cuda.FloatTensor doesn't implement stateless method histc
```

Message (torch 1.12, typed off; `_slow_conv2d_forward`):

```text
'aten::_slow_conv2d_forward' is only available for these backends: SparseCPU
```

Message (torch 1.13 and 2.0, on a Mac; `neg_out_mps`):

```text
TypeError: Operation 'neg_out_mps()' does not support input type 'int64' in MPS backend.
```

Message (torch 1.10 to 2.13, labels in the place of the scores; `outputs before argmax`):

```text
RuntimeError: "log_softmax_lastdim_kernel_impl" not implemented for 'Long'
```

Message (torch 1.10 to 2.13, scores of whole numbers; `criterion(outputs, labels)`):

```text
NotImplementedError: "nll_loss_out_frame" not implemented for 'Long'
```

Message (torch 1.13 to 2.13, a decomposition; `on any device`):

```text
RuntimeError: "linalg_svd_cuda" not implemented for 'Half'
```

Message (torch 2.0, CUDA; `x.float() for this step`):

```text
RuntimeError: "upsample_nearest2d_out_frame" not implemented for 'BFloat16'
```

Message (torch 1.10 to 2.13, packed weights are drawn at random; `whole numbers`):

```text
RuntimeError: "normal_kernel_cpu" not implemented for 'Char'
```
"""

from keng.explain.advice.kernels import instead
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"\"?(?P<kernel>(?!function |is |currently |_print_)\w{2,80})\"? not (?:implemented|supported on \w+Type) for '?(?P<dtype>(?:B?Float|Complex|Double|Half|U?Int|Long|Short|Char|Byte|Bool|Bits|QU?Int|Undefined)\w*)",
    odds=0.93,
)
def no_such_kernel(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups["dtype"]
    says = f"`{kernel}` has no kernel for {dtype}: {instead(failure, kernel, dtype)}"
    yield failure.hit(says, kernel=kernel, dtype=dtype)


@pitfall.explains(
    r"The operator '(?:aten|torchvision)::(?P<kernel>[\w.]+)' is not currently (?:implemented|supported) (?:for|on) the MPS",
    odds=0.95,
)
def not_on_metal(failure: Failure) -> Hits:
    kernel = failure.groups["kernel"]
    yield failure.hit(
        f"`{kernel}` has no kernel on Metal in this version: a newer PyTorch, or PYTORCH_ENABLE_MPS_FALLBACK=1 before torch "
        "is imported, which computes it on the CPU"
    )


@pitfall.explains(
    r"MPS(?: does not support|:) (?P<kernel>\w+) op with (?P<dtype>\w+) input",
    r"'(?P<kernel>\w{1,60}_mps)\(\)' (?:operation )?does not support input type '(?P<dtype>\w+)'",
    r"Trying to convert (?P<dtype>\w+) to the (?P<kernel>MPS) backend but it does not have support",
    r"(?<!, )\b(?P<kernel>\w{1,60}|Output channels > 65536)(?: op)? (?:is )?not supported (?:on|at the) MPS",
    odds=0.95,
)
def not_on_the_mac(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups.get("dtype")
    says = f"{kernel} has no kernel{f' for {dtype}' if dtype else ''} on MPS"
    cure = (
        "another dtype, a newer macOS, or .cpu()"
        if dtype
        else "a newer PyTorch and macOS, or .cpu()"
    )
    if kernel == "MPS":
        says, cure = f"MPS has no {dtype} at all", "weights in float16, or the CPU"
    yield failure.hit(f"{says}: {cure}")


@pitfall.explains(
    r"Current CUDA Device does not support (?P<dtype>\w+)",
    r"Your setup doesn't support (?P<dtype>bf16)",
    r"(?P<dtype>bf16) mixed precision requires PyTorch >= 1\.10 and a supported device",
    r"(?P<dtype>Bfloat16) is only supported on GPUs with compute capability of at least 8\.0",
    r"type (?P<dtype>fp8\w+) not supported in this architecture|required for (?P<eight>FP8) execution",
    odds=0.95,
)
def not_on_this_card(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"] or failure.groups["eight"]
    came = "Ada and Hopper: bfloat16" if "8" in dtype else "Ampere: float16 with a GradScaler"
    or_none = (
        ", or no card is seen (torch.cuda.is_available())" if "setup" in failure.message else ""
    )
    yield failure.hit(f"this card has no {dtype}, which came with {came}{or_none}")


@pitfall.explains(
    r"Pipelines loaded with `(?:torch_)?dtype=torch\.(?P<dtype>\w+)` cannot run with `cpu` device",
    odds=0.93,
)
def pipeline_on_the_cpu(failure: Failure) -> Hits:
    says = f"the CPU has not all kernels for {failure.groups['dtype']}: load the pipeline in float32, or move it to a card"
    yield failure.hit(says)


ARC = "this card of Intel has no float64: .float() for tensors and constants alike"
pitfall.answers({"uses-fp64-math": ARC, "equired aspect fp64 is not supported": ARC}, odds=0.95)


@pitfall.explains(
    r"Type (?P<dtype>torch\.[\w.]+) doesn't implement (?:stateless )?method (?P<kernel>\w+)",
    r"'aten::(?P<kernel>[\w.]+)' is only available for these backends",
    odds=0.45,
)
def none_in_this_version(failure: Failure) -> Hits:
    kernel, there = failure.groups["kernel"], failure.groups.get("dtype") or "this device"
    says = f"`{kernel}` has no kernel for {there} in this version: a newer PyTorch, or .cpu().float() for this step"
    yield failure.hit(says)
