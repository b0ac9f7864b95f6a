r"""The package `apex` of PyPI is not NVIDIA's.

NVIDIA's Apex is built from its repository; the package that `pip install apex` brings is a toolkit for web applications. Libraries
that look whether `apex` can be imported find it, and break in its parts: Pyramid's sessions, or an `amp` that is not
there. NVIDIA's own, installed without its extensions, lacks `amp_C` and its fused layers.

Cure: `pip uninstall apex`, which is enough where PyTorch's own autocast and fused optimizers do; else build NVIDIA's with
`--cpp_ext --cuda_ext` for this PyTorch and CUDA.

Bad:

```python
from apex import amp

amp.initialize
```

Good:

```python
import torch

with torch.autocast("cpu"):
    y = torch.ones(2, 2) @ torch.ones(2, 2)
```

Message (the other package):

```text
ImportError: cannot import name 'UnencryptedCookieSessionFactoryConfig' from 'pyramid.session' (unknown location)
```

Message (the other package, or an empty folder of that name; `uninstall`):

```text
ImportError: cannot import name 'amp' from 'apex' (unknown location)
```

Message (NVIDIA's without its extensions; `cuda_ext`):

```text
RuntimeError: apex.optimizers.FusedAdam requires cuda extensions
```

Message (NVIDIA's without its extensions; `cuda_ext`):

```text
ModuleNotFoundError: No module named 'amp_C'
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Apex")


@pitfall.explains(
    r"cannot import name 'UnencryptedCookieSessionFactoryConfig'",
    r"cannot import name 'amp' from 'apex'",
    odds=0.95,
)
def for_the_web(failure: Failure) -> Hits:
    yield failure.hit(
        "the `apex` that is installed is another program, not NVIDIA's: pip uninstall apex; PyTorch's autocast needs none"
    )


@pitfall.explains(r"apex\.\w+\.\w+ requires cuda extensions|No module named 'amp_C'", odds=0.95)
def without_extensions(failure: Failure) -> Hits:
    yield failure.hit(
        "NVIDIA's Apex is installed without its compiled parts: build it with --cpp_ext --cuda_ext, or take PyTorch's own "
        "fused optimizers and autocast"
    )
