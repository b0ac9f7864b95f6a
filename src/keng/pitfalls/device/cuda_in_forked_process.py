r"""A forked process uses CUDA.

CUDA does not survive a fork: once a process has started it, its forked children cannot use it, and say
so or hang. On Linux processes are forked by default up to Python 3.13, those of a DataLoader too, so a
dataset that puts its items on the GPU fails as soon as there are workers.

Cure: keep CUDA out of the workers, and move whole batches in the training loop; where a process needs
it, start it by `spawn`: `torch.multiprocessing.set_start_method("spawn")`, or `multiprocessing_context`
of a DataLoader.

Bad:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(index**2).cuda()


torch.cuda.init()
loader = DataLoader(Squares(), batch_size=4, num_workers=2)  # here: the workers are forked
for batch in loader:
    print(batch)
```

Bad (a process of one's own):

```python
import multiprocessing

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)


def predict(batch):
    print(model(batch.to(device)))


worker = multiprocessing.Process(target=predict, args=(torch.ones(2, 4),))  # here: it is forked
worker.start()
worker.join()
```

Proof:

```python
assert worker.exitcode != 0
```

Bad (a pool of processes):

```python
from functools import partial
from multiprocessing import Pool

import torch
from torch import nn

torch.cuda.init()


def predict(batch, scale):
    return nn.Linear(4, 1).cuda()(scale * batch.cuda()).sum().item()


with Pool(2) as pool:  # here: its processes are forked
    print(pool.map(partial(predict, scale=2.0), [torch.ones(2, 4)] * 4))
```

Good:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(index**2)


device = "cuda" if torch.cuda.is_available() else "cpu"
for batch in DataLoader(Squares(), batch_size=4, num_workers=2):
    print(batch.to(device))
```

Fine (no workers, or workers that are spawned):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(index**2, device="cuda")


loader = DataLoader(Squares(), batch_size=4)
none = DataLoader(Squares(), batch_size=4, num_workers=0)
spawned = DataLoader(Squares(), num_workers=2, multiprocessing_context="spawn")
```

Fine (CUDA in the children alone; a child that does without; spawned):

```python
import multiprocessing

import torch
from torch import nn


def alone(batch):
    print(nn.Linear(4, 1).cuda()(batch.cuda()))


def without(batch):
    print(batch.sum())


def run():
    batch = torch.ones(2, 4)
    multiprocessing.Process(target=alone, args=(batch,)).start()
    total = batch.cuda().sum()
    multiprocessing.Process(target=without, args=(batch,)).start()
    return total


if __name__ == "__main__":
    run()
```

Fine (spawned, all of them):

```python
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Ones(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        import torch

        return torch.ones(3).to("cuda")


if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    loader = DataLoader(Ones(), num_workers=2)
```

Message (torch 1.13 to 2.13; `in a loader's workers`):

```text
RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
```

Message (torch 2.4, in a DataLoader):

```text
RuntimeError: Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/opt/env/lib/python3.11/site-packages/torch/utils/data/_utils/worker.py", line 309, in _worker_loop
    data = fetcher.fetch(index)
  File "/opt/env/lib/python3.11/site-packages/torch/utils/data/_utils/fetch.py", line 52, in fetch
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "/home/ann/data.py", line 10, in __getitem__
    return torch.tensor(index**2).cuda()
  File "/opt/env/lib/python3.11/site-packages/torch/cuda/__init__.py", line 300, in _lazy_init
    raise RuntimeError(
RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
```

Message (accelerate 0.20 to 1; `restart`):

```text
RuntimeError: CUDA has been initialized before the `notebook_launcher` could create a forked subprocess. This likely stems from an outside import causing issues once the `notebook_launcher()` is called. Please review your imports and test them when running the `notebook_launcher()` to identify which one is problematic and causing CUDA to be initialized.
```

Message (accelerate 0.3 to 0.21):

```text
ValueError: To launch a multi-GPU training from your notebook, you need to avoid running any instruction using `torch.cuda` in any cell. Restart your notebook and make sure no cells use any CUDA function.
```

Message (Lightning 2):
```

Message (Lightning 2; `restart the kernel`):

```text
RuntimeError: Lightning can't create new processes if CUDA is already initialized. Did you manually call `torch.cuda.*` functions, have moved the model to the device, or allocated memory on the GPU any other way? Please remove any such calls, or change the selected strategy. You will have to restart the Python kernel.
```

Message (accelerate; `restart the kernel`):

```text
ValueError: To launch a multi-GPU training from your notebook, the `Accelerator` should only be initialized inside your training function. Restart your notebook and make sure no cells initializes an `Accelerator`.
```

Message (accelerate; `restart the kernel`):

```text
RuntimeError: CUDA has been initialized before the `notebook_launcher` could create a forked subprocess. This likely stems from an outside import causing issues once the `notebook_launcher()` is called.
```

Message (torch 1.1 to 2.13; `backward`):

```text
RuntimeError: Unable to handle autograd's threading in combination with fork-based multiprocessing. See https://github.com/pytorch/pytorch/wiki/Autograd-and-Fork
```

Message (torch 2.13; `XPU`):

```text
RuntimeError: Cannot re-initialize XPU in forked subprocess. To use XPU with multiprocessing, you must use the 'spawn' start method
```

Message (torch 2.4, a process of one's own; `before this process was forked: start the process by "spawn"`):

```text
Traceback (most recent call last):
  File "/env/lib/python3.11/multiprocessing/process.py", line 314, in _bootstrap
    self.run()
  File "/home/u/many.py", line 12, in work
    model = model.cuda()
RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
```

Message (torch 2.11, a default device and workers; `leave the default at the CPU`):

```text
torch.AcceleratorError: Caught AcceleratorError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/env/lib/python3.12/site-packages/torch/utils/data/_utils/worker.py", line 358, in _worker_loop
    data = fetcher.fetch(index)  # type: ignore[possibly-undefined]
  File "/env/lib/python3.12/site-packages/torch/utils/data/dataset.py", line 206, in __getitem__
    return tuple(tensor[index] for tensor in self.tensors)
  File "/env/lib/python3.12/site-packages/torch/utils/_device.py", line 116, in __torch_function__
    return func(*args, **kwargs)
torch.AcceleratorError: CUDA error: initialization error
Search for `cudaErrorInitializationError' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.finds
def dataset_that_uses_cuda(code: Code) -> Hits:
    for call in code.calls_to("torch.utils.data.DataLoader"):
        dataset = code.value_of(code.argument(call, "dataset", position=0)).definition
        workers = code.argument(call, "num_workers", position=5)
        if dataset is None or not code.is_positive(workers):
            continue
        used = dataset.code.cuda_in_items(dataset)
        if used is None or code.argument(call, "multiprocessing_context") is not None:
            continue
        if any(code.method_calls("set_start_method")):
            continue
        says = f"`{dataset.name}` puts its items on the GPU, which forked workers cannot"
        yield code.hit(call, says, line=used.lineno)


@pitfall.finds
def forked_after_cuda_started(code: Code) -> Hits:
    for call, name, used in code.forked_with_cuda():
        started = code.starts_cuda_before(call)
        if started is not None:
            says = f"`{name}` uses CUDA, which line {started.lineno} starts before this forks"
            yield code.hit(call, says, line=used.lineno)


@pitfall.explains(r"CUDA error: initialization error", odds=0.93)
def started_in_a_worker(failure: Failure) -> Hits:
    if not any("/data/_utils/" in frame.path for frame in failure.frames):
        return
    default = any(frame.posix.endswith("torch/utils/_device.py") for frame in failure.frames)
    cure = "keep CUDA out of the dataset, and move batches in the training loop"
    if default:
        cure = "torch.set_default_device('cuda') reaches the dataset: leave the default at the CPU, and move batches in the training loop"
    yield failure.hit(f"a forked worker of the DataLoader uses CUDA: {cure}")


@pitfall.explains(r"Cannot re-initialize (?P<kind>CUDA|XPU) in forked subprocess", odds=0.95)
def forked_after_the_start(failure: Failure) -> Hits:
    worker = any("/data/_utils/" in frame.path for frame in failure.frames)
    kind, cure = failure.groups["kind"], 'start the process by "spawn"'
    data = f"keep {kind} out of the dataset, and move batches in the training loop"
    if worker or not failure.frames:
        cure = data if worker else f"in a loader's workers {data}; else {cure}"
    yield failure.hit(f"{kind} had started before this process was forked: {cure}")


@pitfall.explains(
    r"CUDA has been initialized before the `(?P<what>notebook_launcher)` could create a forked subprocess",
    r"launch a multi-\w{1,10} training from your (?P<what>notebook), (?:the `Accelerator` should only be initialized|you need to avoid)",
    r"(?P<what>Lightning) can't create new processes if CUDA is already initialized",
    odds=0.95,
)
def a_cell_has_started_cuda(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']}: a cell or an import has used CUDA, and the processes are to be forked after it: restart "
        "the kernel, and leave models, .cuda() and torch.cuda to the function that is launched"
    )


@pitfall.explains(r"Unable to handle autograd's threading in combination with fork", odds=0.95)
def autograd_in_a_fork(failure: Failure) -> Hits:
    yield failure.hit(
        "backward runs in a forked process whose parent has run one: mp.set_start_method('spawn') first of all"
    )
