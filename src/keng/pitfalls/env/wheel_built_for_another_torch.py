r"""A wheel with compiled code was made for another PyTorch.

Extensions as flash-attn, torch-scatter or natten are compiled against one release of PyTorch, and their wheels say which in
their names: `+cu12torch2.5`, `+pt25cu124`. pip does not compare it. With another PyTorch the import fails with a symbol that is not
defined, or functions of the extension are not there.

Cure: install the wheel for the PyTorch that is there, or compile the extension here with `--no-build-isolation`.

Machine (by the address it was installed from: `flash-attn 2.7.4.post1 was made for PyTorch 2.5, and 2.8.0+cu128 is`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.8.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch/__init__.py" = ""
"/env/site-packages/flash_attn-2.7.4.post1.dist-info/direct_url.json" = '{"url": "https://example.org/v2.7.4.post1/flash_attn-2.7.4.post1+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl"}'
```

Machine (by its version: `torch-scatter 2.1.2+pt26cu124 was made for PyTorch 2.6`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.8.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch_scatter-2.1.2+pt26cu124.dist-info/METADATA" = "Name: torch_scatter\n"
"/env/site-packages/natten-0.21.0+torch280cu128.dist-info/METADATA" = "Name: natten\n"
```

Sound (for this release; a package without compiled code; torchvision's own build):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.10.1+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch_sparse-0.6.18+pt210cu128.dist-info/METADATA" = "Name: torch_sparse\n"
"/env/site-packages/natten-0.21.5+torch2100cu128.dist-info/METADATA" = "Name: natten\n"
"/env/site-packages/torchvision-0.25.1+cu128.dist-info/METADATA" = "Name: torchvision\n"
"/env/site-packages/flash_attn-2.9.0.dist-info/direct_url.json" = '{"url": "https://example.org/flash_attn-2.9.0+cu12torch2.10cxx11abiTRUE-cp311-cp311-linux_x86_64.whl"}'
"/env/site-packages/mytorch-1.0.dist-info/direct_url.json" = '{"url": "file:///work/mytorch2.5"}'
```
"""

import re

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("extension-built-for-another-torch")

MADE_FOR = re.compile(
    r"\+[\w.]{0,12}?(?:torch(?P<dotted>\d\.\d{1,2})|torch(?P<patched>\d{2,3})\d|pt(?P<plain>\d{2,3}))(?=cu|cpu|cxx|rocm)"
)
"""flash-attn's "+cu12torch2.5cxx11", natten's "+torch250cu124", PyG's "+pt25cu124"."""


@pitfall.probes
def made_for_another(machine: Machine) -> Hits:
    torch = machine.torch
    if torch is None:
        return
    for name, package in machine.packages.items():
        told = f"{package.info}/direct_url.json"
        found = MADE_FOR.search(package.version) or MADE_FOR.search(machine.read(told))
        if found is None:
            continue
        digits = found["patched"] or found["plain"] or ""
        release = found["dotted"] or f"{digits[0]}.{digits[1:]}"
        if numbers(release) != numbers(torch.version)[:2]:
            yield machine.hit(
                f"{name} {package.version} was made for PyTorch {release}, and {torch.version} is installed",
                f"pip install --no-build-isolation --no-binary {name} --force-reinstall --no-deps {name}",
                {package.info: found[0], torch.file: torch.version},
            )
