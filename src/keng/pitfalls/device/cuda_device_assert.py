r"""A kernel on the GPU has found its input wrong.

Kernels check what they are given, and nearly always it is an index or a label outside its range that
fails. The check fails long after the call has returned, so the traceback shows a later line; and CUDA
is of no use to this process from then on, so every later call fails with the same message. The line
`Assertion ... failed`, printed above the traceback, names the check.

Cure: run the same batch on the CPU, which raises at the right line and in clear words, or set
`CUDA_LAUNCH_BLOCKING=1`; then restart the process.

Bad:

```python
import torch

table = torch.arange(4, device="cuda")
rows = torch.tensor([7], device="cuda")
picked = table[rows]
print(picked)  # seen: here the failed check is told
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
table = torch.arange(4, device=device)
rows = torch.tensor([3], device=device)
print(table[rows])
```

Message (torch 1.0 and before):

```text
RuntimeError: cuda runtime error (59) : device-side assert triggered at /home/loop/pytorch-master/torch/lib/THC/generic/THCTensorMath.cu:15
```

Message (torch 2.4):

```text
RuntimeError: CUDA error: device-side assert triggered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
```

Message (torch 2.11, of a loss, where each kernel was waited for; `a label in `target``):

```text
keng: CUDA_LAUNCH_BLOCKING=1: every kernel is waited for
Traceback (most recent call last):
  File "/home/u/train.py", line 8, in <module>
    loss = nn.functional.cross_entropy(scores, target)
  File "/env/lib/python3.12/site-packages/torch/nn/functional.py", line 3504, in cross_entropy
    return torch._C._nn.cross_entropy_loss(
torch.AcceleratorError: CUDA error: device-side assert triggered
Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
```

Message (torch 2.11, of a call that picks; `an index is outside`):

```text
$ CUDA_LAUNCH_BLOCKING=1 python train.py
Traceback (most recent call last):
  File "/home/u/train.py", line 4, in <module>
    chosen = values.gather(1, actions)
torch.AcceleratorError: CUDA error: device-side assert triggered
```

Message (torch 2.11, of a draw; `the probabilities hold`):

```text
keng: CUDA_LAUNCH_BLOCKING=1: every kernel is waited for
Traceback (most recent call last):
  File "/home/u/sample.py", line 4, in <module>
    token = torch.multinomial(probs, 1)
torch.AcceleratorError: CUDA error: device-side assert triggered
```

Message (torch 1.10 to 2.13, with the check in the log; `input[0] != 0`):

```text
../aten/src/ATen/native/cuda/TensorCompare.cu:106: _assert_async_cuda_kernel: block: [0,0,0], thread: [0,0,0] Assertion `input[0] != 0` failed.
Traceback (most recent call last):
  File "sample.py", line 12, in <module>
    print(token)
RuntimeError: CUDA error: device-side assert triggered
```

Message (torch 1.1; `random numbers`):

```text
RuntimeError: Creating MTGP constants failed. at /opt/conda/conda-bld/pytorch_1556653099582/work/aten/src/THC/THCTensorRandom.cu:33
```
"""

from keng.explain.advice.checked import check_of_call, waited_for
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(r"device-side assert\b", odds=0.95)
def told_in_time(failure: Failure) -> Hits:
    if waited_for(failure) and (says := check_of_call(failure)):
        yield failure.hit(f"{says}: on this line, as each kernel was waited for")


@pitfall.explains(r"device-side assert\b", odds=0.7)
def told_late(failure: Failure) -> Hits:
    yield failure.hit(
        "a label outside of 0 to C - 1 or an id beyond num_embeddings, as a rule, in this line or one before it: what `Assertion` "
        "above says, or `keng run --sync-cuda`, tells which"
    )


@pitfall.explains(
    r"\b(?P<file>\w{1,80}\.cuh?):\d+: .{0,300}?Assertion [`'](?P<check>.{1,200}?)[`'] failed",
    odds=0.6,
)
def check_that_failed(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    yield failure.hit(
        f"the check `{check}` of {file} failed in a line before this one: run the batch on the CPU"
    )


@pitfall.explains(r"Creating MTGP constants failed", odds=0.8)
def told_by_the_next_random_number(failure: Failure) -> Hits:
    yield failure.hit(
        "an assert on the card, most often an index outside its range, came before these random numbers: run the batch on the CPU"
    )
