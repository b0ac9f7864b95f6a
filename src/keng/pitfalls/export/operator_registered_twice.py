r"""An operator is registered twice.

A name is defined once in a process. A cell that is run again, a module that is imported under two names or reloaded, a library that is loaded from two files (a copy in another
folder, `torchvision` beside one of one's own build) define it again.

Cure: restart the kernel after changing an operator in a notebook; keep `torch.library.define` and `TORCH_LIBRARY` in a module that is imported; `TORCH_LIBRARY_FRAGMENT` to add to a
library; one copy of it.

Bad:

```python
import torch

library = torch.library.Library("mylib", "DEF")
library.define("double(Tensor x) -> Tensor")
library.define("double(Tensor x) -> Tensor")  # seen: `mylib::double`
```

Good:

```python
import torch

library = torch.library.Library("mylib", "DEF")
library.define("double(Tensor x) -> Tensor")
library.define("half(Tensor x) -> Tensor")
```

Message (torch 1.8 to 2.13; `torchvision`):

```text
RuntimeError: Only a single TORCH_LIBRARY can be used to register the namespace torchvision; please put all of your definitions in a single TORCH_LIBRARY block.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Tried to register an operator \((?P<name>[\w:.]{1,120}?)\(.{0,400}? with the same name and overload name multiple times",
    r"Only a single TORCH_LIBRARY can be used to register the namespace (?P<name>\w{1,80})",
    odds=0.97,
)
def defined_again(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is registered already: its module or library was loaded twice; restart the kernel, or keep one copy"
    )
