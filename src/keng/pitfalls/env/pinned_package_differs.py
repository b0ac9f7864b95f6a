r"""A package that PyTorch is tied to is installed in another version.

PyTorch is built against exact versions of NVIDIA's libraries and of Triton and says so in its metadata.
pip keeps to it when PyTorch is installed, but a later `pip install` of another package, or a forced one of
these, replaces them and only warns. The libraries then lack functions, or fail in their own ways.

Cure: `pip check` lists all that do not fit; install PyTorch again, which brings its own versions back.

Machine (`nvidia-cudnn-cu12 is 9.1.0.70`, which was asked for by another package):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\nRequires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == 'Linux'\n"
"/env/site-packages/nvidia_cudnn_cu12-9.1.0.70.dist-info/METADATA" = "Name: nvidia-cudnn-cu12\n"
```

Machine (`triton is not installed`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\nRequires-Dist: triton (==3.5.0) ; platform_system == 'Linux'\n"
```

Sound (as it was asked for; on another system; an extra; a range):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\nRequires-Dist: filelock\nRequires-Dist: sympy>=1.13.3\nRequires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == 'Linux'\nRequires-Dist: mkl==2021.4.0; platform_system == 'Windows'\nRequires-Dist: opt-einsum==3.4; extra == 'opt-einsum'\n"
"/env/site-packages/nvidia_cudnn_cu12-9.10.2.21.dist-info/METADATA" = "Name: nvidia-cudnn-cu12\n"
```

Sound (a build that ties itself to nothing):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cpu'\ncuda: Optional[str] = None\n"
"/env/site-packages/torch-2.9.0+cpu.dist-info/METADATA" = "Name: torch\nRequires-Dist: filelock\n"
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.probes
def other_than_asked_for(machine: Machine) -> Hits:
    packages = machine.packages
    torch = packages.get("torch")
    for name, wanted in machine.pins_of(torch).items() if torch is not None else ():
        there = packages.get(name)
        version = there.version if there else "not installed"
        if torch is not None and version.partition("+")[0] != wanted.partition("+")[0]:
            yield machine.hit(
                f"{name} is {version}, and PyTorch {torch.version} was built with {wanted}",
                f"pip install {name}=={wanted}",
                {
                    f"{torch.info}/METADATA": f"{name}=={wanted}",
                    there.info if there else torch.folder: version,
                },
            )
