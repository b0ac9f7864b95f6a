r"""An operator of a library is used before the library is loaded.

`torch.ops.NAME` asks for operators by name, and a library registers its own when it is loaded. Where it was not imported, could not be loaded (a warning above may say so), or
was built without CUDA, the name is there and the operator, or its kernel for this device, is not. A model in C++ or on a phone needs the library linked in.

Cure: import the package first, or `torch.ops.load_library("path/to/ops.so")`, before the model is loaded; look for the warning that its import gave; build it for
this device; an operator in Python needs `@torch.library.custom_op` to have run.

Bad:

```python
import torch

y = torch.ops.mylib.swish(torch.ones(2))  # seen: `mylib.swish`
```

Bad (no kernel for the device):

```python
import torch

library = torch.library.Library("mylib", "DEF")
library.define("swish(Tensor x) -> Tensor")
y = torch.ops.mylib.swish(torch.ones(2))  # seen: `mylib::swish`
```

Bad (a class of a library in C++):

```python
import torch

engine = torch.classes.mylib.Engine()  # seen: `mylib.Engine`
```

Good:

```python
import torch


@torch.library.custom_op("mylib::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


y = torch.ops.mylib.double(torch.ones(2))
```

Message (torch 1.5 to 2.13; `detectron2::nms_rotated`):

```text
RuntimeError: No such operator detectron2::nms_rotated
```

Message (libtorch on iOS; `-force_load`):

```text
terminating with uncaught exception of type c10::Error: Could not find schema for aten::empty.memory_format
```

Message (libtorch 1.6 on iOS; `aten::dropout`):

```text
Couldn't find an operator for aten::dropout(Tensor input, float p, bool train) -> Tensor. Do you have to update a set of hardcoded JIT ops
```

Message (torch 1.7 to 2.13, a model that Torch-TensorRT compiled; `tensorrt.Engine`):

```text
RuntimeError:
Unknown type name '__torch__.torch.classes.tensorrt.Engine':
Serialized   File "code/__torch__/movinets/models.py", line 4
  __torch___engine : __torch__.torch.classes.tensorrt.Engine
                     ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ <--- HERE
```

Message (torch 2.1 to 2.13, of register_fake; `mylib::blur`):

```text
RuntimeError: operator mylib::blur does not exist
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"'_OpNamespace' '(?P<home>(?!aten'|prim'|torchvision')\w{1,60})' object has no attribute '(?P<name>\w{1,80})'",
    odds=0.96,
)
def not_registered(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    yield failure.hit(
        f"no library has registered the operator {home}.{name}: import the package that has it, or torch.ops.load_library()"
    )


@pitfall.explains(
    r"Could not run '(?P<op>(?!aten::|prim::|quantized::|torchvision::|xformers::|torch_ipex::|c10d)\w{2,60}::\w{2,80})[\w.]*' with arguments from the "
    r"'(?P<backend>\w{1,40})' backend",
    odds=0.9,
)
def no_kernel_for_the_device(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(
        f"`{op}` has no kernel for {backend}: its library was built without it, or is not loaded; or move the tensors to where it has one"
    )


@pitfall.explains(
    r"(?:No such operator|Unknown builtin op:) (?P<op>(?!aten::|prim::|torchvision::)\w{2,60}::\w{2,80})",
    r"\boperator (?P<op>(?!aten::|prim::|torchvision::)\w{2,60}::\w{2,80}) does not exist",
    r"Unknown type name '__torch__\.torch\.classes\.(?P<op>\w{1,60}\.\w{1,60})'",
    r"Tried to instantiate class '(?P<op>(?!__path__)\w{1,60}\.\w{1,60})', but it does not exist",
    odds=0.93,
)
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"no library has registered `{failure.groups['op']}`: import the package that has it before; if that is done, its compiled part was not "
        "built for this torch"
    )


@pitfall.explains(
    r"Could not find schema for (?P<op>aten::[\w.]{1,60})",
    r"Couldn't find an operator for (?P<op>aten::\w{1,60})\(",
    odds=0.85,
)
def left_out_by_the_linker(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is PyTorch's own, and the program has it not: a static libtorch is linked whole, -force_load or --whole-archive; or a build of selected operators"
    )
