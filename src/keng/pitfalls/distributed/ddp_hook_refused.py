r"""A communication hook of DistributedDataParallel is not what DDP can call.

DDP calls a hook `f(state, bucket)` for each bucket of gradients, in place of its all-reduce, and waits for the future that it gives back. There is one hook for a model, set before training, and its second argument is
named `bucket`. The ready-made hooks ask for cards, and PowerSGD for a start after DDP has ordered its buckets.

Cure: `def hook(state, bucket): return dist.all_reduce(bucket.buffer() / n, async_op=True).get_future().then(lambda f: f.value()[0])`; `model.register_comm_hook(state, hook)` once, before the first step.

Bad:

```python
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def hook(state: object, bucket: torch.Tensor):
    return bucket


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(torch.nn.Linear(2, 2))
model.register_comm_hook(None, hook)  # seen: `dist.GradBucket`
```

Bad (too early):

```python
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
state = PowerSGDState(None, start_powerSGD_iter=1)  # seen: `start_powerSGD_iter=2`
```

Good:

```python
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def hook(state, bucket):
    work = dist.all_reduce(bucket.buffer(), async_op=True)
    return work.get_future().then(lambda done: done.value()[0])


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(torch.nn.Linear(2, 2))
model.register_comm_hook(None, hook)
model(torch.ones(1, 2)).sum().backward()
dist.destroy_process_group()
```

Message (torch 2.13; `torch.futures.Future`):

```text
ValueError: Communication hook: return annotation should be torch.futures.Future[torch.Tensor].
```

Message (torch 2.13; `one hook`):

```text
RuntimeError: register_comm_hook or register_builtin_comm_hook can only be called once.
```

Message (torch 2.13; `cards`):

```text
TypeError: BF16 all reduce communication hook required CUDA 11+ and NCCL 2.10+ or XPU and XCCL
```

Message (torch 2.13; `python_reducer`):

```text
RuntimeError: Compiled autograd is not compatible with C++ DDP Reducer, please use torch._dynamo.config.optimize_ddp="python_reducer".
```

Message (torch 2.13, of a hook whose second argument has another name; `named bucket`):

```text
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    model.register_comm_hook(None, hook)
  File "/usr/lib/python3.11/site-packages/torch/nn/parallel/distributed.py", line 2051, in register_comm_hook
    self._check_comm_hook(hook)
  File "/usr/lib/python3.11/site-packages/torch/nn/parallel/distributed.py", line 2176, in _check_comm_hook
    sig.parameters["bucket"].annotation != inspect._empty
    ~~~~~~~~~~~~~~^^^^^^^^^^
KeyError: 'bucket'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"(?:^|KeyError: )'bucket'$", odds=0.97)
def argument_of_another_name(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/parallel/distributed.py"):
        yield failure.hit("the second argument of a hook is named bucket: def hook(state, bucket)")


CURES = {
    "bucket annotation should be dist.GradBucket": "a communication hook is f(state, bucket), and bucket: dist.GradBucket if it says a type at all",
    "return annotation should be torch.futures.Future": "a communication hook gives back a future: -> torch.futures.Future[torch.Tensor], or no annotation",
    "hook's callback must return a torch.futures.Future": "a communication hook gives back a future: dist.all_reduce(..., async_op=True).get_future(), then the tensor of it",
    "comm_hook can only be called once": "a model has one hook: one register_comm_hook, before the first step",
    "all reduce communication hook required CUDA": "this hook wants cards of NVIDIA or Intel, and an NCCL that sums bfloat16: fp16_compress_hook, or none on the CPU",
    "`start_powerSGD_iter` > 1 if": "the hook of PowerSGD starts after DDP has ordered its buckets: start_powerSGD_iter=2 or more, in use some thousand",
    "Compiled autograd is not compatible with C++ DDP Reducer": "a compiled backward pass reduces in Python: torch._dynamo.config.optimize_ddp = 'python_reducer'",
    "static_graph() should be called before training loop starts": "what is static is said before the first step: static_graph=True when the model is wrapped",
}
pitfall.answers(CURES, odds=0.96)
