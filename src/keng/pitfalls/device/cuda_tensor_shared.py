r"""A tensor on the GPU is handed from process to process, or outlives the one that made it.

A tensor on the CPU that goes through a queue lies in shared memory and lives on. Of one on the GPU the other process gets a
window into the memory of its maker, who must keep it until the last reader is done, and who alone may hand it out:
a reader that sends it on is refused, and when the maker ends first, the window shows memory that is gone.

Cure: `.cpu()` before the queue, and to the card in the process that computes; else `.clone()` what is sent on, and let the
maker wait for an event or a join before it ends.

Bad:

```python
import torch
import torch.multiprocessing as mp


def pass_on(received, sent):
    sent.put(received.get())


if __name__ == "__main__":
    mp.set_start_method("spawn")
    first, second = mp.Queue(), mp.Queue()
    worker = mp.Process(target=pass_on, args=(first, second))
    worker.start()
    first.put(torch.ones(3, device="cuda"))
    print(second.get())
```

Good:

```python
import torch

queue = []
queue.append(torch.ones(3).cpu())
print(queue.pop())
```

Message (torch 2.11, the maker has ended; `let that one wait`):

```text
Traceback (most recent call last):
  File "/home/u/share.py", line 10, in <module>
    print(q.get().sum())
  File "/usr/lib/python3.12/multiprocessing/queues.py", line 122, in get
    return _ForkingPickler.loads(res)
  File "/env/lib/python3.12/site-packages/torch/multiprocessing/reductions.py", line 180, in rebuild_cuda_tensor
    storage = storage_cls._new_shared_cuda(
torch.AcceleratorError: CUDA error: invalid resource handle
Search for `cudaErrorInvalidResourceHandle' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
```

Message (torch 1.1 to 2.13; `clone`):

```text
RuntimeError: Attempted to send CUDA tensor received from another process; this is not currently supported. Consider cloning before sending.
```

Message (torch 1.2 to 2.13; `ended first`):

```text
[W CudaIPCTypes.cpp:15] Producer process has been terminated before all shared CUDA tensors released. See Note [Sharing CUDA tensors]
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda and a process that ends")


@pitfall.explains(r"Attempted to send CUDA tensor received from another process", odds=0.97)
def sent_on(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor on the GPU that came from another process is sent on: x.clone() first, or x.cpu() at its maker"
    )


@pitfall.explains(r"CUDA error: invalid (?:resource handle|argument|device context)", odds=0.93)
def gone_before_it_is_read(failure: Failure) -> Hits:
    if failure.passed_through("torch/multiprocessing/reductions.py"):
        yield failure.hit(
            "a tensor on the GPU is read whose process has ended: let that one wait until it is read, or send x.cpu()"
        )


@pitfall.explains(
    r"Producer process has been terminated before all shared CUDA tensors released", odds=0.75
)
def maker_has_ended(failure: Failure) -> Hits:
    yield failure.hit(
        "the process that made tensors on the GPU ended first, while another still read them: harmless at the end of the "
        "program; else let it wait, or send x.cpu()"
    )
