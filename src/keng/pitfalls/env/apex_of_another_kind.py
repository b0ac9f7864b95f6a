r"""The package `apex` of PyPI is not NVIDIA's.

NVIDIA's Apex is built from its repository; the package that `pip install apex` brings is a toolkit for web applications. Libraries
that look whether `apex` can be imported find it, and break in its parts: Pyramid's sessions, or an `amp` that is not
there. NVIDIA's own has no `amp` either since it was removed in May 2025; installed without its extensions, it lacks `amp_C` and its fused layers.

Cure: `pip uninstall apex`, which is enough where PyTorch's own autocast and fused optimizers do; else build NVIDIA's with
`--cpp_ext --cuda_ext` for this PyTorch and CUDA, of a revision from before that where `apex.amp` is wanted.

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

Message (NVIDIA's of May 2025 and later, or the other package; `lost it in 2025`):

```text
ImportError: cannot import name 'amp' from 'apex' (/env/lib/python3.8/site-packages/apex/__init__.py)
```

Message (NVIDIA's without its extensions; `cuda_ext`):

```text
RuntimeError: apex.optimizers.FusedAdam requires cuda extensions
```

Message (NVIDIA's without its extensions; `cuda_ext`):

```text
ModuleNotFoundError: No module named 'amp_C'
```

Message (NVIDIA's without its extensions; `cuda_ext`):

```text
ModuleNotFoundError: No module named 'fused_layer_norm_cuda'
```

Message (NVIDIA's without its extensions, a warning; `cuda_ext`):

```text
Warning:  apex was installed without --cuda_ext. Fused syncbn kernels will be unavailable.  Python fallbacks will be used instead.
```

Message (the other package; `uninstall`):

```text
ModuleNotFoundError: No module named 'apex.optimizers'
```

Message (none; `another program`):

```text
ModuleNotFoundError: No module named 'apex'
```

Message (timm, without Apex or without a card; `one of them is not here`):

```text
AssertionError: APEX and CUDA required for fused optimizers
```

Message (older trainers; `another program`):

```text
ImportError: Please install apex from https://www.github.com/nvidia/apex to use distributed and fp16 training.
```

Message (timm's train.py and what came from it; `which is not here`):

```text
AssertionError: AMP impl specified as APEX but APEX is not installed.
```

Message (Lightning 1; `which is not here`):

```text
pytorch_lightning.utilities.exceptions.MisconfigurationException: You have asked for Apex AMP but you have not installed it. Install `apex` using this guide: https://github.com/NVIDIA/apex
```

Message (transformers 3 and 4; `which is not here`):

```text
ValueError: Trainer tried to instantiate apex FusedAdam but apex is not installed!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Apex")

COMPILED = (
    r"amp_C|apex_C|syncbn|xentropy_cuda|mlp_cuda|fast_multihead_attn|fused_(?:layer_norm|adam|lamb|dense|weight_gradient_mlp)_cuda|"
    r"(?:generic_)?scaled_(?:masked_|upper_triang_masked_)?softmax_cuda"
)
"""What Apex is without where it was installed as Python alone."""


@pitfall.explains(
    r"cannot import name 'UnencryptedCookieSessionFactoryConfig'",
    r"No module named 'apex\.(?:optimizers|parallel|normalization|multi_tensor_apply)",
    odds=0.95,
)
def for_the_web(failure: Failure) -> Hits:
    yield failure.hit(
        "the `apex` that is installed is another program, not NVIDIA's: pip uninstall apex; PyTorch's autocast needs none"
    )


@pitfall.explains(r"cannot import name 'amp' from 'apex'|No module named 'apex\.amp", odds=0.95)
def without_amp(failure: Failure) -> Hits:
    yield failure.hit(
        "the installed `apex` has no amp: NVIDIA's lost it in 2025, and PyPI's, another program, has none; PyTorch's autocast, pip uninstall apex "
        "where a library only looks for it, or an older revision"
    )


@pitfall.explains(
    rf"apex\.\w+\.\w+ requires cuda extensions|No module named '(?:{COMPILED})'|apex was installed without --c",
    odds=0.95,
)
def without_extensions(failure: Failure) -> Hits:
    yield failure.hit(
        "NVIDIA's Apex is installed without its compiled parts: build it with --cpp_ext --cuda_ext, or take PyTorch's own "
        "fused optimizers and autocast"
    )


@pitfall.explains(
    r"(?:^|Error: )No module named '?apex'?$|APEX and CUDA required for fused optimizers|lease install apex from https?://\S{0,20}nvidia/apex|"
    r"APEX but APEX is not installed|Apex AMP but you have not installed it|apex FusedAdam but apex is not installed",
    odds=0.95,
)
def not_installed(failure: Failure) -> Hits:
    which = " and a card, and one of them" if "CUDA" in failure.message else ", which"
    yield failure.hit(
        f"the program wants NVIDIA's Apex{which} is not here: its option without `fused` or `apex`, or a build from NVIDIA's repository; "
        "`pip install apex` brings another program"
    )
