r"""The memory of the GPU is exhausted.

The message holds the numbers that tell why, and the advice depends on them. PyTorch takes memory from
the card in blocks and keeps what tensors have given back, to use it again: reserved, but not
allocated. Each process also needs some hundred MiB for its CUDA context. The line that fails is often
innocent: it only asks for what is no longer there, because graphs are kept alive by a running total of
losses, validation records gradients, or another process holds the card.

Cure: where the tensors of this program fill the card, a smaller batch with gradient accumulation,
mixed precision, activation checkpointing, `torch.no_grad()` in validation; where another process does,
another card; where memory is reserved but idle, `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`.

Bad:

```python
import torch

too_much = torch.empty(10**14, device="cuda")  # seen: hundreds of TiB
```

Bad (losses that are kept):

```python
import torch
from torch import nn

torch.cuda.set_per_process_memory_fraction(2**32 / torch.cuda.mem_get_info()[1])
model = nn.Sequential(nn.Linear(2**12, 2**14), nn.Linear(2**14, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
losses = []
for step in range(100):
    loss = model(torch.randn(2**12, 2**12, device="cuda")).mean()
    loss.backward(retain_graph=True)  # seen: each loss keeps 320 MiB
    optimizer.step()
    losses.append(loss)
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
enough = torch.empty(10**4, device=device)
```

Message (torch 2.4, one allocation that no card could hold):

```text
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 55.57 GiB. GPU 0 has a total capacty of 12.00 GiB of which 9.02 GiB is free. Of the allocated memory 984.52 MiB is allocated by PyTorch, and 463.48 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting max_split_size_mb to avoid fragmentation.
```

Message (torch 2.9, another process):

```text
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.06 GiB is free. Process 4711 has 19.20 GiB memory in use. Including non-PyTorch memory, this process has 3.39 GiB memory in use. Of the allocated memory 2.90 GiB is allocated by PyTorch, and 94.87 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.
```

Message (torch 2.2, reserved and idle):

```text
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacty of 23.65 GiB of which 1.66 GiB is free. Including non-PyTorch memory, this process has 20.81 GiB memory in use. Of the allocated memory 12.09 GiB is allocated by PyTorch, and 4.84 GiB is reserved by PyTorch but unallocated.
```

Message (torch 1.13, the program's own tensors):

```text
RuntimeError: CUDA out of memory. Tried to allocate 192.00 MiB (GPU 0; 4.00 GiB total capacity; 3.08 GiB already allocated; 0 bytes free; 3.17 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.
```

Message (torch 1.0, more is free than was asked for):

```text
RuntimeError: CUDA out of memory. Tried to allocate 12.50 MiB (GPU 0; 10.92 GiB total capacity; 8.57 MiB already allocated; 9.28 GiB free; 4.68 MiB cached)
```

Message (torch 1.2, a small card with a desktop; `smaller batch`):

```text
RuntimeError: CUDA out of memory. Tried to allocate 338.00 MiB (GPU 0; 3.95 GiB total capacity; 1.62 GiB already allocated; 23.00 MiB free; 9.10 MiB cached)
```

Message (torch 2.4, where CUDA itself says it):

```text
RuntimeError: CUDA error: out of memory
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
```

Message (torch 0.4):

```text
RuntimeError: cuda runtime error (2) : out of memory at /opt/conda/conda-bld/pytorch_1524590031827/work/aten/src/THC/generic/THCStorage.cu:58
```

Message (torch 2.4, cuBLAS):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`
```

Message (torch 2.3, on a Mac; `hold 17.05 of 18.13 GiB`):

```text
RuntimeError: MPS backend out of memory (MPS allocated: 17.05 GB, other allocations: 1.11 GB, max allowed: 18.13 GB). Tried to allocate 256.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).
```

Message (torch 2.5, on an Intel card; `15.56 GiB`):

```text
torch.OutOfMemoryError: XPU out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.56 GiB. Of the allocated memory 13.00 GiB is allocated by PyTorch, and 1.20 GiB is reserved by PyTorch but unallocated. Please use `empty_cache` to release all unoccupied cached memory.
```

Message (torch 2.1; `no machine has`):

```text
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate more than 1EB memory.
```

Message (torch 1.8, with a share of the card; `may take 7 of 23.69 GiB`):

```text
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; 6.00 GiB already allocated; 15.00 GiB free; 7.00 GiB allowed; 6.50 GiB reserved in total by PyTorch)
```

Message (torch 2.11, with a share of the card; `may take 1.4 of 139.8 GiB`):

```text
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB. GPU 0 has a total capacity of 139.80 GiB of which 137.72 GiB is free. Process 2398 has 786.00 MiB memory in use. Including non-PyTorch memory, this process has 518.00 MiB memory in use. Process 2301 has 622.00 MiB memory in use. Process 2224 has 18.00 MiB memory in use. 1.40 GiB allowed; Of the allocated memory 0 bytes is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.
```

Message (torch 2.3 to 2.13, a limit of one's own):

```text
torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)
```

Message (torch 2.0 to 2.3, the driver cannot say how much is left; `no memory left`):

```text
RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at "../c10/cuda/CUDACachingAllocator.cpp":830, please report a bug to PyTorch.
```

Message (torch 2.1 to 2.13, its end cut off):

```text
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 676.00 MiB. GPU 0 has a total capacity of 14.74 GiB of which 196.12 MiB is free.
```

Message (torch 2.3, on a Mac, its end cut off; `17.05 of 18.13 GiB`):

```text
RuntimeError: MPS backend out of memory (MPS allocated: 17.05 GB, other allocations: 94.99 MB, max allowed: 18.13 GB).
```

Message (torch 2.5 to 2.13, Triton):

```text
RuntimeError: Triton Error [CUDA]: out of memory
```

Message (torch 2.6 to 2.13, expandable segments):

```text
RuntimeError: CUDA driver error: out of memory
```

Message (torch 0.4 to 1.4, on the line above the error):

```text
THCudaCheck FAIL file=/pytorch/aten/src/THC/generic/THCStorage.cu line=58 error=2 : out of memory
```

Message (torch 1.10 to 2.13, NCCL):

```text
torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:94, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.26.2
ncclUnhandledCudaError: Call to CUDA function failed.
Last error:
Cuda failure 2 'out of memory'
```

Message (torch 2.5 to 2.13, ROCm):

```text
RuntimeError: HIP error: out of memory
```

Message (torch 2.3 to 2.13, as ComfyUI shows it of a node; `no memory left`):

```text
KSampler

Allocation on device
```

Message (torch 2.5 to 2.13, as ComfyUI prints it):

```text
torch.OutOfMemoryError: Allocation on device
This error means you ran out of memory on your GPU.
```

Message (torch 2.5 to 2.13, by its name alone):

```text
torch.OutOfMemoryError
```

Message (spconv):

```text
RuntimeError: TensorStorage /io/include/tensorview/tensor.h 168
cuda failed with error 2 out of memory. use CUDA_LAUNCH_BLOCKING=1 to get correct traceback.
```

Message (torch 1.0, on a small card; `by CUDA itself, a screen or other processes`):

```text
RuntimeError: CUDA out of memory. Tried to allocate 338.00 MiB (GPU 0; 3.95 GiB total capacity; 0.62 GiB already allocated; 223.00 MiB free; 9.10 MiB cached)
```

Message (torch 1.10 to 2.0, reserved and idle; `max_split_size_mb:128`):

```text
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 24.00 GiB total capacity; 12.00 GiB already allocated; 1.00 GiB free; 22.00 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF
```

Message (torch 1.5, reserved and idle; `empty_cache()`):

```text
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 24.00 GiB total capacity; 12.00 GiB already allocated; 1.00 GiB free; 22.00 GiB reserved in total by PyTorch)
```

Message (torch 2.3, on a Mac, beside the tensors; `Metal holds`):

```text
RuntimeError: MPS backend out of memory (MPS allocated: 3.05 GB, other allocations: 14.11 GB, max allowed: 18.13 GB). Tried to allocate 1256.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).
```

Message (torch 2.4, a model on its way to the card; `before any batch`):

```text
Traceback (most recent call last):
  File "/home/u/chat.py", line 9, in <module>
    model.to("cuda")
  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1174, in to
    return self._apply(convert)
  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 780, in _apply
    module._apply(fn)
  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1160, in convert
    return t.to(
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB. GPU 0 has a total capacity of 14.74 GiB of which 196.12 MiB is free. Including non-PyTorch memory, this process has 14.55 GiB memory in use. Of the allocated memory 14.40 GiB is allocated by PyTorch, and 10.12 MiB is reserved by PyTorch but unallocated.
```

Message (torch 2.4, the first step of an optimizer; `two numbers for each weight`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 40, in <module>
    optimizer.step()
  File "/env/lib/python3.11/site-packages/torch/optim/adamw.py", line 187, in step
    has_complex = self._init_group(
  File "/env/lib/python3.11/site-packages/torch/optim/adamw.py", line 138, in _init_group
    state["exp_avg_sq"] = torch.zeros_like(
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 14.74 GiB of which 6.12 MiB is free. Including non-PyTorch memory, this process has 14.73 GiB memory in use. Of the allocated memory 14.40 GiB is allocated by PyTorch, and 10.12 MiB is reserved by PyTorch but unallocated.
```

Message (torch 1.8, in a validation; `torch.no_grad() keeps no graphs`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 71, in validate
    outputs = model(images)
  File "/env/lib/python3.8/site-packages/torch/nn/functional.py", line 1206, in relu
    result = torch.relu(input)
RuntimeError: CUDA out of memory. Tried to allocate 64.00 MiB (GPU 0; 11.17 GiB total capacity; 10.68 GiB already allocated; 14.00 MiB free; 10.75 GiB reserved in total by PyTorch)
```

Message (torch 2.4, a pipeline under no_grad(); `(offloading)`):

```text
Traceback (most recent call last):
  File "/home/u/make.py", line 12, in <module>
    image = pipe(prompt).images[0]
  File "/env/lib/python3.11/site-packages/torch/utils/_contextlib.py", line 116, in decorate_context
    return func(*args, **kwargs)
  File "/env/lib/python3.11/site-packages/diffusers/models/autoencoders/vae.py", line 318, in forward
    sample = self.conv_in(sample)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 676.00 MiB. GPU 0 has a total capacity of 14.74 GiB of which 196.12 MiB is free.
```

Message (torch 1.0, as it is told; `torch.no_grad() keeps no graphs`):

```text
RuntimeError: CUDA out of memory. Tried to allocate 2.00 MiB (GPU 1; 11.17 GiB total capacity; 10.68 GiB already allocated; 64.00 KiB free; 188.49 MiB cached)
It comes up during validation.
```

Message (torch 2.4, a pipeline in a notebook; `(offloading)`):

```text
Traceback (most recent call last)
<ipython-input-11-f4c854f12377> in <cell line: 0>()
----> 1 video = pipe(prompt=prompt, num_inference_steps=50).frames[0]

OutOfMemoryError: CUDA out of memory. Tried to allocate 676.00 MiB. GPU 0 has a total capacity of 14.74 GiB of which 196.12 MiB is free.
```

Message (torch 1.8, a checkpoint of a card; `map_location='cpu'`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 12, in <module>
    state = torch.load("last.pt")
  File "/env/lib/python3.8/site-packages/torch/serialization.py", line 592, in load
    return _load(opened_zipfile, map_location, pickle_module, **pickle_load_args)
  File "/env/lib/python3.8/site-packages/torch/serialization.py", line 131, in _cuda_deserialize
    return obj.cuda(device)
RuntimeError: CUDA error: out of memory
```
"""

from keng.explain.advice.memory import told_by_numbers, told_without_numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import FailedForward

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")

WORKSPACE = (
    "cuBLAS or cuDNN found no memory for its workspace: a smaller batch; where much is free, a kernel before has "
    "failed, as by an index outside its table (CUDA_LAUNCH_BLOCKING=1)"
)

pitfall.answers(
    {
        "Tried to allocate more than 1EB memory": "a size no machine has: negative, or beyond 64 bits; look at the shape",
        "CUBLAS_STATUS_ALLOC_FAILED": WORKSPACE,
        "CUDNN_STATUS_ALLOC_FAILED": WORKSPACE,
    },
    odds=0.85,
)


@pitfall.explains(
    r"(?:CUDA|HIP|XPU) out of memory\. Tried to allocate (?P<wanted>[\d.]+ \w+)\. GPU \d+ has a total "
    r"capac?i?ty of (?P<total>[\d.]+ \w+)(?: of which (?P<free>[\d.]+ \w+) is free)?\..{0,2000}?"
    r"(?:this process has (?P<process>[\d.]+ \w+) memory in use\..{0,900}?)?(?:(?P<allowed>[\d.]+ \w+) allowed; )?Of the allocated memory "
    r"(?P<allocated>[\d.]+ \w+) is allocated by PyTorch,.{0,100}? and (?P<idle>[\d.]+ \w+) is reserved",
    r"(?:CUDA|HIP) out of memory\. Tried to allocate (?P<wanted>[\d.]+ \w+) \(GPU \d+; (?P<total>[\d.]+ \w+) "
    r"total capacity; (?P<allocated>[\d.]+ \w+) already allocated; (?P<free>[\d.]+ \w+) free; "
    r"(?:(?P<allowed>[\d.]+ \w+) allowed; )?(?P<reserved>[\d.]+ \w+) (?:cached|reserved)",
    r"MPS backend out of memory \(MPS allocated: (?P<allocated>[\d.]+ \w+), other allocations: "
    r"(?P<other>[\d.]+ \w+), max allowed: (?P<total>[\d.]+ \w+)\)\.(?: Tried to allocate (?P<wanted>[\d.]+ \w+))?",
    r"(?<!CPU) out of memory[.!]? Tried to allocate (?P<wanted>[\d.]+ \w+)(?!.{0,2000}?(?:already allocated|Of the allocated))",
    odds=0.95,
)
def numbers_that_tell_why(failure: Failure) -> Hits:
    card = failure.memory
    yield failure.hit(
        told_by_numbers(failure),
        wanted_gib=card.wanted,
        total_gib=card.total,
        free_gib=card.free,
    )


@pitfall.explains(
    r"(?:(?:CUDA|HIP|CUDA driver) error|Triton Error \[\w+\]|cuda runtime error \(2\) |error=2 ): out of memory",
    r"out of memory at \S{0,300}THC|OutOfMemoryError: (?:CUDA|HIP) out of memory\.?$|cuda (?:execution )?failed with error 2(?!\d)",
    r"NVML_SUCCESS == r INTERNAL ASSERT FAILED|\bAllocation on device(?: \d|\s{0,9}(?:$|Got an OOM|This error))|ran out of memory on your GPU|Cuda failure (?:2 )?'out of memory'",
    odds=0.9,
)
@pitfall.explains(r"\btorch\.(?:cuda\.)?OutOfMemoryError\b", odds=0.75)
def no_numbers(failure: Failure) -> Hits:
    yield failure.hit(told_without_numbers(failure))


@pitfall.watches("forward.failed")
def memory_that_is_kept(failed: FailedForward) -> Hits:
    if failed.error != "OutOfMemoryError":
        return
    if failed.graphs_held > 2:
        says = f"{failed.graphs_held} graphs of past steps are alive: something keeps losses or outputs"
    elif failed.in_vain:
        says = (
            f"`{failed.module}` is in eval mode, and records gradients for no backward: no_grad()"
        )
    else:
        says = "nothing of past steps is kept: the step itself is too large for the card"
    yield failed.hit(says, graphs_held=failed.graphs_held)
