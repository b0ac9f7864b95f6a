r"""A module or name is imported that this PyTorch does not have.

Private modules move without notice: `torch._six` went in 2.0, `torch.utils.model_zoo` is `torch.hub`.
Code written for an older PyTorch, mostly an installed package, imports them; the other way round, code
for a newer one asks for names that are not there yet.

Cure: update the package whose file the traceback shows, or pin the PyTorch that it was made for; in code
of one's own take the public name: `string_classes` is `(str, bytes)`, `inf` is `math.inf`.

Bad:

```python
from torch._six import string_classes  # seen: gone since 2.0
```

Good:

```python
string_classes = (str, bytes)
```

Message (torch 2.3, a package for a newer PyTorch; `came to torch with 2.4`):

```text
ImportError: cannot import name 'DeviceMesh' from 'torch.distributed' (/opt/venv/lib/python3.10/site-packages/torch/distributed/__init__.py)
```

Message (torch 2.4, asked by a newer package):

```text
ModuleNotFoundError: No module named 'torch.nn.attention.flex_attention'
```

Message (a newer torch, code of before; `x.grad.zero_()`):

```text
ImportError: cannot import name 'zero_gradients' from 'torch.autograd.gradcheck' (/env/lib/python3.8/site-packages/torch/autograd/gradcheck.py)
```

Message (files of two versions of torch in one folder; `files of two versions`):

```text
  File "/env/lib/python3.10/site-packages/torch/onnx/__init__.py", line 49, in <module>
    from ._internal.exporter import DiagnosticOptions
ImportError: cannot import name 'DiagnosticOptions' from 'torch.onnx._internal.exporter' (/env/lib/python3.10/site-packages/torch/onnx/_internal/exporter/__init__.py)
```

Message (a compiled part of another version than the files in Python; `files of two versions`):

```text
  File "/env/lib/python3.10/site-packages/torch/cuda/__init__.py", line 364, in <module>
    AcceleratorError = torch._C.AcceleratorError
AttributeError: module 'torch._C' has no attribute 'AcceleratorError'
```

Message (started in a folder with a checkout of PyTorch; `compiled part`):

```text
ImportError: cannot import name '_C' from 'torch'
```

Message (torch 0.3, or a file that stands before it; `torch.__path__`):

```text
AttributeError: module 'torch' has no attribute 'no_grad'
```

Message (torch 1.9 to 2.0, code of before; `collections.abc`):

```text
ImportError: cannot import name 'container_abcs' from 'torch._six' (/env/lib/python3.8/site-packages/torch/_six.py)
```

Message (torch 1.6, asked by a newer package; `private name`):

```text
AttributeError: module 'torch.jit' has no attribute '_script_if_tracing'
```

Message (torch 2.0 and later; `torch.onnx.export`):

```text
AttributeError: module 'torch.onnx' has no attribute '_export'
```

Message (torchvision 0.11 and later; `get_image_size`):

```text
AttributeError: module 'torchvision.transforms.functional' has no attribute '_get_image_size'
```

Message (torch 2.3, asked by a package that the traceback shows; `an older release of vllm`):

```text
  File "/env/lib/python3.10/site-packages/vllm/attention/layer.py", line 9, in <module>
    from torch.nn.attention.flex_attention import create_block_mask
ModuleNotFoundError: No module named 'torch.nn.attention.flex_attention'
```

Message (torch 1.7, asked by a newer package; `1.8`):

```text
AttributeError: module 'torch' has no attribute 'fx'
```

Message (torch 1.3 and later; `torch<1.3`):

```text
AttributeError: module 'torch.nn' has no attribute 'backends'
```

Message (torch 1.0 and later, code for torch 0; `of torch 0`):

```text
AttributeError: module 'torch._C' has no attribute '_cudnn_batch_norm_forward'
```

Message (torch 1.10 to 2.13, built for a Jetson; `built without torch.distributed`):

```text
ModuleNotFoundError: No module named 'torch._C._distributed_c10d'; 'torch._C' is not a package
```

Message (torch 1.13, a name of a later version; `2.0`):

```text
AttributeError: module 'torch' has no attribute 'compile'
```

Message (torch 1.12, asked by a newer package; `aten.lift_fresh`):

```text
AttributeError: '_OpNamespace' 'aten' object has no attribute 'lift_fresh'
```

Message (torch 1.11 and later, of StyleGAN2-ADA; `aten::convolution_backward`):

```text
RuntimeError: No such operator aten::cudnn_convolution_backward_weight
```

Message (torch 1.6, asked by a newer package; `Tensor.crow_indices`):

```text
RuntimeError:
Tried to access nonexistent attribute or method 'crow_indices' of type 'Tensor'.:
  File "/env/lib/python3.7/site-packages/torch_sparse/tensor.py", line 109
        rowptr = mat.crow_indices()
                 ~~~~~~~~~~~~~~~~ <--- HERE
```

Message (torch 1.7 and before; `1.8`):

```text
  File "train.py", line 39, in transform
    x = torch.view_as_real(torch.fft.fft(torch.view_as_complex(x)))
AttributeError: 'builtin_function_or_method' object has no attribute 'fft'
```

Message (torch 1.10, asked by a newer package; `an older release of torch_geometric`):

```text
  File "/env/lib/python3.8/site-packages/torch_geometric/index.py", line 461, in <module>
    @implements(aten.clone.default)
AttributeError: 'builtin_function_or_method' object has no attribute 'default'
```

Message (torch 1.4 and later; `torch<1.4`):

```text
AttributeError: module 'torch.jit' has no attribute 'get_trace_graph'
```

Message (torch 2.11 and later; `from 2.5 to before 2.11`):

```text
ImportError: cannot import name 'export_for_training' from 'torch.export' (/env/lib/python3.12/site-packages/torch/export/__init__.py)
```

Message (torchvision 0.10 and later, of DETR and what came from it; `three characters`):

```text
ImportError: cannot import name '_new_empty_tensor' from 'torchvision.ops' (/env/lib/python3.8/site-packages/torchvision/ops/__init__.py)
```

Message (torchvision 0.10 and later, a name of torchvision's; `or not yet`):

```text
AttributeError: module 'torchvision.models' has no attribute 'resnet51'
```

Message (torch 1.12, a package for torch 2; `came to torch with 1.13`):

```text
AttributeError: module 'torch.backends.cuda' has no attribute 'sdp_kernel'
```

Message (torch 1.6 on Windows; `built without torch.distributed`):

```text
AttributeError: module 'torch.distributed' has no attribute 'is_initialized'
```

Message (torch 0.1 to 1.4 with Python 2):

```text
  File "run.py", line 88, in __init__
    torch.nn.Upsample(scale_factor=2, mode='bilinear'),
AttributeError: 'module' object has no attribute 'Upsample'
```

Message (torch 0.4.0 with Python 3.6, of a package for 0.4.1; `RandomSampler`):

```text
ImportError: cannot import name 'RandomSampler'
```

Message (torchao 0.7; `torchao.quantization.weight_only_quant_qconfig`):

```text
ImportError: cannot import name 'weight_only_quant_qconfig' from 'torchao.quantization' (/env/lib/python3.10/site-packages/torchao/quantization/__init__.py)
```

Message (torchvision 0.2, in Python up to 3.6; `torchvision.datasets.folder.is_image_file`):

```text
  File "/env/lib/python3.6/site-packages/inferno/io/box/camvid.py", line 9, in <module>
    from torchvision.datasets.folder import is_image_file, default_loader
ImportError: cannot import name 'is_image_file'
```

Message (torch 0.2, in Python 2; `torch.onnx`):

```text
$ python -c "import torch.onnx"
Traceback (most recent call last):
  File "<string>", line 1, in <module>
ImportError: No module named onnx
```

Bad (there, and not imported):

```python
import torch

prune = torch.nn.utils.prune  # seen: `import torch.nn.utils.prune`
```

Message (torch 2.0, which does not import it, and before; `import torch.mps (of torch 2.0 and later)`):

```text
AttributeError: module 'torch' has no attribute 'mps'
```

Message (torch 2.13; `1.6 and later`):

```text
AttributeError: module 'torch.utils' has no attribute 'mobile_optimizer'
```

Message (an older torch; `import torch.utils.checkpoint`):

```text
AttributeError: module 'torch.utils' has no attribute 'checkpoint'
```
"""

import re

from keng.explain.advice.shown import asker
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import libraries, moved_symbols

pitfall = Pitfall(__name__, __doc__, severity="error", needs="code for an older torch")

BUILT_WITHOUT = (
    "ReduceOp ProcessGroup is_initialized init_process_group get_rank get_world_size group"
)
"""What `torch.distributed` has wherever it was built in."""
MIXED = "PyTorch itself asks for it, so that files of two versions are mixed; restart a notebook's kernel, else uninstall torch until none is left, then install"
NO_DISTRIBUTED = "this PyTorch was built without torch.distributed, as some for Windows, macOS and Jetson are; torch.distributed.is_available() tells"


@pitfall.explains(
    r"No module named '(?P<name>torch(?:vision|audio|text|ao|data)?\.[\w.]+)'",
    r"cannot import name '(?P<what>\w+)' from '(?P<name>torch(?:vision|audio|text|ao|data)?(?:\.[\w.]+)?)'",
    r"(?:^|: )module '(?P<name>torch(?:vision|audio|text)?(?:\.[\w.]+)?)' has no attribute '(?P<what>\w+)'",
    rf"(?:^|: )cannot import name '?(?P<what>{moved_symbols.KNOWN})'?$",
    r"'_OpNamespace' (?:'(?P<name>aten|prims)' )?object has no attribute '(?P<what>\w+)'",
    r"No such operator (?P<name>aten|prims)::(?P<what>\w+)",
    odds=0.85,
)
def not_in_this_version(failure: Failure) -> Hits:
    name, what = failure.groups.get("name", ""), failure.groups.get("what", "")
    mixed = what and failure.asks_within(library := name.partition(".")[0])
    if libraries.of_name(name, what) or (mixed and library in libraries.LIBRARIES):
        return  # library-of-another-version tells more of it
    if name == "torch.distributed" and what in BUILT_WITHOUT.split():
        yield failure.hit(f"`torch.distributed.{what}` is not there: {NO_DISTRIBUTED}")
        return
    says = moved_symbols.told(name, what, "has no attribute" in failure.message)
    in_python = "cannot import" in failure.message or (name == "torch._C" and what[0] != "_")
    if mixed and library == "torch" and in_python:
        says = f"`{name}.{what}` is not there: {MIXED}"
    yield failure.hit(says.replace("what asks for it", asker(failure, " ") or "what asks for it"))


@pitfall.explains(
    r"cannot import name '?(?P<what>\w+)'?$",
    r"(?:No module named |(?:^|: )'module' object has no attribute ')(?P<what>\w+)'?$",
    odds=0.85,
)
def not_said_of_which_module(failure: Failure) -> Hits:
    """Python 2 and 3.6 do not say it, nor does a line that was cut off; the code does."""
    what = failure.groups["what"]
    line = failure.frames[-1].text if failure.frames else failure.around
    asked = re.search(rf"\b(?:torch|nn)\.(?:\w+\.)*{what}\b", line)
    source = re.search(r"\bfrom (torch(?:vision|audio|text|ao)?(?:\.\w+)*) import", line)
    home = f"{source[1]}.{what}" if source and "cannot import" in failure.message else ""
    full = asked[0] if asked else home
    if full:
        module, _, name = (f"torch.{full}" if full[:3] == "nn." else full).rpartition(".")
        yield failure.hit(moved_symbols.told(module, name, False))


@pitfall.explains(
    r"'builtin_function_or_method' object has no attribute '(?P<what>\w+)'", odds=0.93
)
def function_that_became_a_module(failure: Failure) -> Hits:
    what = failure.groups["what"]
    last = failure.frames[-1].text if failure.frames else failure.around
    if re.search(rf"\baten\.\w+\.{what}\b", last):
        yield failure.hit(
            f"the operators of this torch have no overloads yet, as `{what}`: torch 1.11 or later, or an older release of "
            f"{asker(failure, ' ') or 'what asks for it'}"
        )
    elif f"torch.fft.{what}" in (failure.line or failure.around):
        yield failure.hit(
            "`torch.fft` is a function here: it is a module since torch 1.8, in 1.7 after `import torch.fft`"
        )


@pitfall.explains(
    r"nonexistent attribute or method '(?P<what>\w+)' of type 'Tensor'[^<]{0,90}?File \"[^\"]{1,300}?(?:site|dist)-packages",
    odds=0.97,
)
def asked_by_a_package(failure: Failure) -> Hits:
    yield failure.hit(
        f"`Tensor.{failure.groups['what']}` is not there: the package that asks for it is made for a newer PyTorch"
    )
