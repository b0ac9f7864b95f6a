r"""A library that PyTorch brings was written over by another package's.

NVIDIA's packages for two versions of CUDA, as `nvidia-nccl-cu12` and `nvidia-nccl-cu13`, put some of their libraries into
the same file. pip does not notice: the one that was installed last is there, and PyTorch finds functions missing in it. To
uninstall one of them takes the file away from both.

Cure: uninstall the one that PyTorch does not ask for, then install PyTorch's own again with
`--force-reinstall --no-deps`.

Machine (two packages of NCCL: `nvidia-nccl-cu12 2.29.3, which was installed over the 2.29.7`):

```toml
[files]
"/env/site-packages/torch-2.12.0.dist-info/METADATA" = "Requires-Dist: nvidia-nccl-cu13==2.29.7\n"
"/env/site-packages/nvidia_nccl_cu13-2.29.7.dist-info/RECORD" = "nvidia/nccl/lib/libnccl.so.2,sha256=aa,7\nnvidia/nccl/include/nccl.h,sha256=bb,4\n"
"/env/site-packages/nvidia_nccl_cu12-2.29.3.dist-info/RECORD" = "nvidia/nccl/lib/libnccl.so.2,sha256=cc,5\n"
"/env/site-packages/nvidia/nccl/lib/libnccl.so.2" = "older"
```

Sound (PyTorch's own was the last; two packages without a common file):

```toml
[files]
"/env/site-packages/torch-2.12.0.dist-info/METADATA" = "Requires-Dist: nvidia-nccl-cu13==2.29.7\nRequires-Dist: nvidia-cudnn-cu13==9.20\n"
"/env/site-packages/nvidia_nccl_cu13-2.29.7.dist-info/RECORD" = "nvidia/nccl/lib/libnccl.so.2,sha256=aa,5\n"
"/env/site-packages/nvidia_nccl_cu12-2.29.3.dist-info/RECORD" = "nvidia/nccl/lib/libnccl.so.2,sha256=cc,7\n"
"/env/site-packages/nvidia/nccl/lib/libnccl.so.2" = "newer"
"/env/site-packages/nvidia_cudnn_cu13-9.20.dist-info/RECORD" = "nvidia/cudnn/lib/libcudnn.so.9,sha256=aa,5\n"
"/env/site-packages/nvidia_cudnn_cu11-8.9.dist-info/RECORD" = "nvidia/cudnn/lib/libcudnn.so.8,sha256=cc,7\n"
"/env/site-packages/nvidia/cudnn/lib/libcudnn.so.9" = "other"
```
"""

from collections.abc import Iterator

from keng.env.machine import Machine
from keng.env.packages import Package
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("cuda-libraries-conflict", "nccl-error")


@pitfall.probes
def written_over(machine: Machine) -> Hits:
    """The packages of two CUDAs write a file of one name, and the size tells which was the last."""
    for own, other in _rivals(machine):
        mine, theirs = machine.files_of(own), machine.files_of(other)
        for file in mine.keys() & theirs.keys():
            place = f"{own.folder}/{file}"
            status = machine.status(place)
            size = status.st_size if status else 0
            if size == theirs[file] != mine[file]:
                yield machine.hit(
                    f"{file} is that of {other.name} {other.version}, which was installed over the "
                    f"{own.version} of {own.name} that PyTorch asks for",
                    f"pip uninstall -y {other.name} && pip install --force-reinstall --no-deps {own.name}=={own.version}",
                    {place: f"{size} bytes", own.info: mine[file]},
                )


def _rivals(machine: Machine) -> Iterator[tuple[Package, Package]]:
    """A package that PyTorch asks for, and another one that brings the same library."""
    brought, torch = machine.cuda_packages, machine.packages.get("torch")
    asked = machine.pins_of(torch) if torch is not None else {}
    for stem, own in brought:
        others = [each for kind, each in brought if kind == stem and each.name != own.name]
        yield from ((own, other) for other in others if own.name in asked)
