r"""MKL is newer than a PyTorch of conda was built for.

The packages of conda's `pytorch` channel leave MKL to conda and take whatever version is there. MKL 2024.1 dropped
functions for profiling (`iJIT_NotifyEvent` and its kin) that libtorch_cpu.so of these builds asks for, so that
`import torch` fails though nothing of PyTorch has changed. The wheels of pip bring their own MKL.

Cure: `conda install mkl==2024.0`, and the same in the environment's file; or install PyTorch by pip.

Message (torch 1.12 to 2.3 of conda):

```text
ImportError: /opt/conda/envs/a/lib/python3.10/site-packages/torch/lib/libtorch_cpu.so: undefined symbol: iJIT_NotifyEvent
```

Machine (`mkl 2024.2.0 beside pytorch 2.2.2`):

```toml
path = ["/opt/conda/envs/a/lib/python3.10/site-packages"]
[files]
"/opt/conda/envs/a/conda-meta/mkl-2024.2.0-ha957f24_665.json" = ""
"/opt/conda/envs/a/conda-meta/pytorch-2.2.2-py3.10_cuda12.1_cudnn8.9.2_0.json" = ""
```

Sound (an MKL that has them; a build of conda-forge; no PyTorch):

```toml
path = ["/a/lib/python3.10/site-packages", "/b/lib/python3.10/site-packages", "/c/lib/python3.10/site-packages"]
[files]
"/a/conda-meta/mkl-2024.0.0-ha957f24_49657.json" = ""
"/a/conda-meta/pytorch-2.2.2-py3.10_cpu_0.json" = ""
"/b/conda-meta/mkl-2024.2.2-ha957f24_16.json" = ""
"/b/conda-meta/pytorch-2.5.1-cpu_mkl_py310_h8ec2884_108.json" = ""
"/c/conda-meta/mkl-2024.2.2-ha957f24_16.json" = ""
```
"""

import re

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"libtorch_cpu\.so: undefined symbol: (?P<what>iJIT_\w{1,40})", odds=0.97)
def without_its_profiler(failure: Failure) -> Hits:
    yield failure.hit(
        f"MKL 2024.1 and later lack `{failure.groups['what']}`, for which this PyTorch of conda asks: conda install mkl==2024.0, or PyTorch by pip"
    )


LACKING = (2024, 1)
MKL = re.compile(r"mkl-(\d[\d.]*)-.*\.json")
PYTORCH = re.compile(r"pytorch-(\d[\d.]*)-py[\d.]+_(?:cpu|cuda).*\.json")


@pitfall.probes
def functions_dropped(machine: Machine) -> Hits:
    for folder in machine.path:
        prefix, inside, _ = folder.partition("/lib/python")
        home = f"{prefix}/conda-meta"
        names = machine.names(home) if inside else ()
        mkl = next((found for name in names if (found := MKL.fullmatch(name))), None)
        torch = next((found for name in names if (found := PYTORCH.fullmatch(name))), None)
        if mkl is None or torch is None or numbers(mkl[1]) < LACKING:
            continue
        yield machine.hit(
            f"mkl {mkl[1]} beside pytorch {torch[1]} of conda: what this asks of MKL was dropped in 2024.1",
            "conda install mkl==2024.0",
            {f"{home}/{mkl[0]}": mkl[1], f"{home}/{torch[0]}": torch[1]},
        )
