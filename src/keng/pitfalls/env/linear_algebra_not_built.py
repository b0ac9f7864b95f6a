r"""This PyTorch was built without the library that decomposes matrices.

Inverses, decompositions and least squares are not computed by PyTorch itself: on the CPU LAPACK does it, which MKL and OpenBLAS hold, on a card MAGMA,
and cuSOLVER in newer versions. A PyTorch that found none when it was built, often one's own build, or one for a small board, works in all else and refuses these.

Cure: a build of pytorch.org's, or of the maker of the board, which has them; on a card without MAGMA `x.cpu()` for this operation alone. For one's own build install
OpenBLAS with LAPACK, or MKL, first, and build anew from an empty `build` folder: `torch.__config__.show()` then says `LAPACK is enabled`, and
`torch.cuda.has_magma` is True.

Bad:

```python
import torch

inverse = torch.linalg.inv(torch.eye(3))  # seen: `LAPACK`
```

Good:

```python
import torch

total = torch.eye(3).sum()
```

Message (torch 0.1 to 1.7; `gels`):

```text
RuntimeError: gels : Lapack library not found in compile time at /pytorch/aten/src/TH/generic/THLapack.cpp:80
```

Message (torch 1.0 to 1.9; `LAPACK, which inverse`):

```text
RuntimeError: inverse: LAPACK library not found in compilation
```

Message (torch 1.9; `LAPACK, which torch.linalg.eigh`):

```text
RuntimeError: Calling torch.linalg.eigh or eigvalsh on a CPU tensor requires compiling PyTorch with LAPACK. Please use PyTorch built with LAPACK support.
```

Message (torch 1.0 to 1.9, CUDA; `.cpu()`):

```text
RuntimeError: svd: MAGMA library not found in compilation. Please rebuild with MAGMA.
```

Message (torch 1.9, CUDA; `torch.linalg.eig`):

```text
RuntimeError: Calling torch.linalg.eig on a CUDA tensor requires compiling PyTorch with MAGMA. Either transfer the tensor to the CPU before calling torch.linalg.eig or recompile with MAGMA.
```

Message (torch 0.1 to 1.9, CUDA; `gesv`):

```text
RuntimeError: No CUDA implementation of 'gesv'. Install MAGMA and rebuild cutorch (http://icl.cs.utk.edu/magma/) at /pytorch/aten/src/THC/generic/THCTensorMathMagma.cu:74
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(
    __name__, __doc__, severity="error", needs="a PyTorch built without LAPACK or MAGMA"
)


@pitfall.explains(
    r"\b(?P<what>\w{1,40}) ?: (?P<library>LAPACK|Lapack|MAGMA) library not found in compil",
    r"Calling (?P<what>torch\.[\w.]{1,40}).{0,60}? requires compiling PyTorch with (?P<library>LAPACK|MAGMA|cuSOLVER)",
    r"No CUDA implementation of '(?P<what>\w{1,40})'\. Install (?P<library>MAGMA)",
    odds=0.96,
)
def not_in_this_build(failure: Failure) -> Hits:
    what, library = failure.groups["what"], failure.groups["library"]
    if library == "Lapack":
        library = "LAPACK"
    cure = (
        "another build" if library == "LAPACK" else "x.cpu() for this operation, or another build"
    )
    yield failure.hit(f"this PyTorch was built without {library}, which {what} needs: {cure}")
