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
"""

from keng.failures import Failure, Memory, amount, share
from keng.model import Hits, Pitfall
from keng.moments import FailedForward

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")

OWN = (
    "a smaller batch with gradient accumulation, mixed precision or activation checkpointing; where "
    "it comes late in the run, something keeps the graphs of past steps"
)
WORKSPACE = (
    "cuBLAS or cuDNN found no memory for its workspace: this program's tensors or another's fill it"
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
    r"(?:this process has (?P<process>[\d.]+ \w+) memory in use\. .{0,100}?)?Of the allocated memory "
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
    yield failure.hit(why(card), wanted_gib=card.wanted, total_gib=card.total, free_gib=card.free)


def why(card: Memory) -> str:
    wanted, total, mine = amount(card.wanted), amount(card.total), amount(card.allocated)
    if not card.allocated:
        return f"{wanted} more do not fit on the card: {OWN}"
    if card.wanted > card.total:
        return f"{wanted} in one tensor can never fit a card of {total}: look at its shape"
    if card.allowed and card.wanted <= card.free:
        return f"this process may take {share(card.allowed, card.total)}: set_per_process_memory_fraction"
    if card.elsewhere > card.allocated > card.total / 4:
        there = share(card.elsewhere, card.total)
        return f"{there} lie with others, the desktop or the driver, and this program's tensors hold {mine}: a smaller batch, or end what `nvidia-smi` shows"
    if card.elsewhere > max(card.total / 4, card.allocated):
        return f"other processes hold {share(card.elsewhere, card.total)}: see `nvidia-smi`"
    if card.wanted and card.free > max(1.1 * card.wanted, card.total / 20):
        return f"{amount(card.free)} are free and {wanted} are refused: a limit set by hand or by the driver"
    if card.idle > card.wanted and card.idle > card.allocated / 10:
        idle = amount(card.idle)
        return f"{idle} are reserved but idle, in pieces too small for {wanted}: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
    if card.wanted > max(card.total / 4, card.allocated / 4):
        return f"{wanted} in one tensor, beside {mine} of others, do not fit {total}: look at its shape"
    return f"this program's tensors hold {share(card.allocated, card.total)}: {OWN}"


@pitfall.explains(
    r"(?:(?:CUDA|HIP|CUDA driver) error|Triton Error \[\w+\]|cuda runtime error \(2\) |error=2 ): out of memory",
    r"out of memory at \S{0,300}THC|OutOfMemoryError: (?:CUDA|HIP) out of memory\.?$|cuda (?:execution )?failed with error 2(?!\d)",
    r"NVML_SUCCESS == r INTERNAL ASSERT FAILED|\bAllocation on device(?: \d|\s{0,9}(?:$|Got an OOM|This error))|ran out of memory on your GPU|Cuda failure (?:2 )?'out of memory'",
    odds=0.9,
)
@pitfall.explains(r"\btorch\.(?:cuda\.)?OutOfMemoryError\b", odds=0.75)
def no_numbers(failure: Failure) -> Hits:
    yield failure.hit("the card has no memory left: see `nvidia-smi` for who holds it")


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
