r"""The main memory is exhausted, not that of the GPU.

A tensor on the CPU was asked for that the machine, the container or the process limit does not have.
One enormous number is mostly a mistake in a shape: a product of all pairs, a broadcast of (N, 1) with
(1, N), a one-hot of a large vocabulary. Smaller ones at the end of a long run are a list that grows.

Cure: look at the shape that was meant; work in blocks; keep numbers instead of tensors in lists; let
`keng env` tell the limit of the container.

Bad:

```python
import torch

pairs = torch.empty(10**9, 10**8)  # seen: more than any machine has
```

Good:

```python
import torch

pairs = torch.empty(10, 10)
```

Message (torch 2.13, Linux):

```text
RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 68719476736 bytes. Error code 12 (Cannot allocate memory)
```

Message (torch 2.4, Windows):

```text
RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to allocate 12582912000 bytes.
```

Message (the kernel's own words, nothing of Python's):

```text
Epoch 3:  41%|####      | 410/1000 [10:12<14:41,  1.49s/it]
Killed
```

Message (the kernel's own words, while a model is loaded; `while the model was read`):

```text
Loading the model of 13 billion weights
Killed
```

Message (torch 2.4, of a process that torch.multiprocessing.spawn has started):

```text
torch.multiprocessing.spawn.ProcessExitedException: process 0 terminated with signal SIGKILL
```

Message (a job scheduler's):

```text
slurmstepd: error: Detected 1 oom-kill event(s) in step 123.batch cgroup. Some of your processes may have been killed by the cgroup out-of-memory handler.
```

Message (a shell's line with the number of the process):

```text
./run.sh: line 12: 48213 Killed                  python train.py --workers 16
```

Message (zsh's, of macOS; `the main memory`):

```text
zsh: killed     python train.py --epochs 3
```

Message (zsh's, of a job in the background; `the main memory`):

```text
[1]    12345 killed     python train.py
```

Message (bash's, of macOS; `the main memory`):

```text
Killed: 9
```

Message (torch 1.7 to 2.13, Windows; `paging file`):

```text
OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading "C:\\Python\\lib\\site-packages\\torch\\lib\\cudnn_cnn_infer64_8.dll" or one of its dependencies.
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: unable to mmap 8192 bytes from file </torch_1234_5678>: Cannot allocate memory (12)
```

Message (torch 0.4 to 1.0):

```text
RuntimeError: $ Torch: not enough memory: you tried to allocate 4GB. Buy new RAM! at ..\aten\src\TH\THGeneral.cpp:204
```

Message (torch 1.9 to 2.13, of torchrun):

```text
ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 0 (pid: 31338) of binary: /usr/bin/python
```

Message (torch 1.7 to 2.13, oneDNN):

```text
RuntimeError: could not create a primitive
```

Message (DeepSpeed):

```text
[2023-05-01 10:00:00,000] [ERROR] [launch.py:434:sigkill_handler] ['/usr/bin/python', '-u', 'train.py', '--local_rank=3'] exits with return code = -9
```

Message (torch 1.0 to 1.4, Windows; `paging file`):

```text
ImportError: DLL load failed: The paging file is too small for this operation to complete.
```

Message (torch 1.5 to 2.13, Windows; `paging file`):

```text
RuntimeError: Couldn't open shared file mapping: <torch_13684_4004974554>, error code: <1455>
```

Message (torch 1.8 to 2.0, Windows, of cuDNN; `paging file`):

```text
Could not load library cudnn_cnn_infer64_8.dll. Error code 1455
Please make sure cudnn_cnn_infer64_8.dll is in your library path!
```

Message (torch 0.1 to 1.8):

```text
RuntimeError: $ Torch: invalid memory size -- maybe an overflow? at /pytorch/aten/src/TH/THGeneral.cpp:188
```

Message (Kubernetes):

```text
    State:          Terminated
      Reason:       OOMKilled
      Exit Code:    137
```

Message (Slurm, of srun):

```text
srun: error: node1: task 0: Out Of Memory
```

Message (Kaggle):

```text
Your notebook tried to allocate more memory than is available. It has restarted.
```

Message (Slurm before 20):

```text
slurmstepd: error: Exceeded job memory limit at some point.
```

Message (kubectl):

```text
command terminated with exit code 137
```

Message (pip in a container; `--no-cache-dir`):

```text
Collecting torch
  Downloading torch-1.7.1-cp38-cp38-manylinux1_x86_64.whl (776.8 MB)
Killed
ERROR: Service 'web' failed to build : The command '/bin/sh -c pip3 install -r requirements.txt' returned a non-zero code: 137
```

Message (Ray 2; `Ray`):

```text
ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.
```

Message (torch 2.13; `one of its sizes`):

```text
RuntimeError: Storage size calculation overflowed with sizes=[1099511627776, 1099511627776]
```

Message (torch 0.1 to 1.9):

```text
RuntimeError: $ Torch: not enough memory: you tried to reallocate 8GB. Buy new RAM! at /pytorch/aten/src/TH/THGeneral.cpp:270
```

Message (torch 0.1 to 0.3):

```text
RuntimeError: $ Torch: unable to mmap memory: you tried to mmap 2GB. at /pytorch/torch/lib/TH/THAllocator.c:321
```

Message (conda 4.4 and later; `conda`):

```text
$ conda install pytorch torchvision -c pytorch
CondaMemoryError: The conda process ran out of memory. Increase system memory and/or try again.
```

Message (torch 2.13, Linux, where little is wanted; `the rest is full already`):

```text
RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 4915200 bytes. Error code 12 (Cannot allocate memory)
```
"""

from keng.explain.advice.memory import killed
from keng.explain.failure import Failure, amount
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"DefaultCPUAllocator: (?:can't allocate memory|not enough memory): you tried to allocate (?P<bytes>\d+) "
    r"bytes",
    odds=0.95,
)
def one_tensor_too_many(failure: Failure) -> Hits:
    gib = int(failure.groups["bytes"]) / 2**30
    says = f"{amount(gib)} of main memory in one tensor"
    if gib <= 64:
        cure = "fewer or smaller samples at a time; look at its shape"
        full = "the rest is full already: fewer workers, smaller batches, no lists that grow"
        yield failure.hit(f"{says} are not there any more: {cure if gib >= 1 else full}")
        return
    of = ", ".join(f"`{each.name}` is {each.shape}" for each in failure.live.operands)
    yield failure.hit(f"{says}: {of or 'look at its shape'}")


@pitfall.explains(
    r"(?:^|\s)Killed(?::? 9)?(?=\s|$)|(?:^|\s)zsh: killed {1,9}\S|\[\d\] {1,5}\+? ?\d{3,8} killed {1,9}\S",
    r"[Dd]etected \d+ oom.kill event|oom-kill|Out of memory: Kill(?:ed)? process|\bOOMKilled\b|task \d+: Out Of Memory",
    r"Exceeded (?:job|step) memory limit|terminated with exit code 137\b",
    r"notebook tried to allocate more memory than is available",
    r"process \d+ terminated with signal SIGKILL",
    r"failed \(exitcode: -9\) local_rank|exitcode {1,9}: -9 \(pid|exits with return code = -9\b|died with <Signals\.SIGKILL",
    odds=0.85,
)
def killed_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(killed(failure))


@pitfall.explains(
    r"\[WinError 1455\]|shared file mapping: <\w+>, error code: <1455>|\.dll\. Error code 1455|The paging file is too small for this|页面文件太小",
    odds=0.95,
)
def page_file_too_small(failure: Failure) -> Hits:
    says = "Windows has no memory left, and each worker loads all libraries and holds batches: a larger paging file, or fewer workers"
    yield failure.hit(says)


@pitfall.explains(
    r"unable to mmap \d+ bytes from file <\S{1,200}>: Cannot allocate memory",
    r"Torch: (?:not enough memory: you tried to (?:re)?allocate|unable to mmap memory|invalid memory size -- maybe an overflow)",
    odds=0.9,
)
def no_more_to_have(failure: Failure) -> Hits:
    yield failure.hit("the main memory is full: smaller batches, fewer workers, no lists that grow")


@pitfall.explains(r"could not create a primitive", odds=0.7)
def no_room_for_onednn(failure: Failure) -> Hits:
    yield failure.hit(
        "oneDNN could not set up the operation: most often the main memory is full, else a tensor is empty"
    )


@pitfall.explains(r"\btorch-\d[\w.+%-]{3,80}\.whl[^;]{0,300}?Killed\b", odds=0.95)
def wheel_too_large(failure: Failure) -> Hits:
    yield failure.hit(
        "pip was killed, as the wheel did not fit into the memory of this machine or container: pip install --no-cache-dir, or more memory for Docker"
    )


@pitfall.explains(r"The conda process ran out of memory", odds=0.9)
def too_much_for_conda(failure: Failure) -> Hits:
    if "torch" in f"{failure.message}\n{failure.around}":
        yield failure.hit(
            "conda has too little main memory to solve or unpack this: conda clean --all, its solver libmamba, or pip"
        )


pitfall.answers(
    {
        "Task was killed due to the node running low on memory": "Ray ended the task as the machine's main memory was nearly full: fewer workers on a node, smaller batches, or memory= for the task",
    },
    odds=0.55,
)


OVERFLOWED = "a tensor of more bytes than there are numbers for: one of its sizes is wrong"
pitfall.answers({"Storage size calculation overflowed": OVERFLOWED}, odds=0.96)
