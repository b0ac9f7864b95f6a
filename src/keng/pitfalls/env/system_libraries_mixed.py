r"""A library that PyTorch loads meets another version of one that it needs.

`import torch` loads libraries of the system as well, for messages between machines (UCX, UCC, MPI), for threads or for cards. The
loader takes the first file of a name that it finds, and each process has one of a name: where `LD_LIBRARY_PATH`, conda, or a package
that was installed over those of a container puts an older one in front, what belongs to the other copy asks it for a function that it
does not have.

Cure: `unset LD_LIBRARY_PATH` and try again; `ldd` on the file that is named shows which copies it takes. In NVIDIA's containers
UCX, UCC and MPI of /opt/hpcx belong together: no other MPI by apt or conda beside them.

Bad:

```python
import torch

print(torch.distributed.is_available())
```

Good:

```python
import torch

print(torch.__version__)
```

Message (torch 2.4, NVIDIA's container with MPICH of apt; `libucs.so.0`):

```text
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
  File "/usr/local/lib/python3.10/dist-packages/torch/__init__.py", line 236, in <module>
    from torch._C import *  # noqa: F403
ImportError: /opt/hpcx/ucx/lib/libucs.so.0: undefined symbol: ucm_set_global_opts
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="libraries that do not fit")


@pitfall.explains(
    r"(?P<file>lib(?!torch|c10|cu|nv|caffe2|TH|shm)[\w+-]{1,60}\.so[\d.]{0,12}): undefined symbol: (?P<symbol>\w+)",
    odds=0.9,
)
def another_copy(failure: Failure) -> Hits:
    file, symbol = failure.groups["file"], failure.groups["symbol"]
    if failure.passed_through("torch/__init__.py") and "torch/lib/" not in failure.message:
        yield failure.hit(
            f"{file} finds another version of a library that it needs, one without `{symbol}`: LD_LIBRARY_PATH or a package of "
            "the system puts that in front"
        )
