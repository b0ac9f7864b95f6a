r"""A model is prepared for quantization in the wrong mode, or with layers that do not fuse.

`prepare_qat` is for training and wants `model.train()`; `prepare`, `convert` and the fusion of batch norm into its convolution are for `model.eval()`. What can be
fused is a convolution or linear layer with the batch norm and ReLU after it, in that order, by their names in the model.

Cure: `model.eval()` before `fuse_modules` and `prepare`; `fuse_modules_qat` and `prepare_qat` after `model.train()`; print the model for the names. All of
`torch.ao.quantization` is deprecated since 2.8: what is written anew takes `quantize_` of torchao.

Bad (a mode):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).eval()
model = torch.ao.quantization.prepare_qat(model)  # seen: `model.train()`
```

Bad (an order):

```python
import torch
from torch import nn

model = nn.Sequential(nn.ReLU(), nn.Linear(2, 2)).eval()
model = torch.ao.quantization.fuse_modules(model, ["0", "1"])  # seen: `ReLU, Linear`
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).eval()
model = torch.ao.quantization.fuse_modules(model, ["0", "1"])
```

Message (torch 2.13; `model.eval()`):

```text
AssertionError: Fusion only for eval!
```

Message (torch 1.10 to 2.13; `Embedding`):

```text
AssertionError: Embedding quantization is only supported with float_qparams_weight_only_qconfig.
```

Message (torch 1.13 to 2.13; `example_inputs`):

```text
TypeError: prepare_fx() missing 1 required positional argument: 'example_inputs'
```

Message (torch 1.4 to 2.13; `calibrated`):

```text
UserWarning: must run observer before calling calculate_qparams. Returning default values.
```

Message (torch 1.13 to 2.13; `one mode`):

```text
AssertionError: Conv and BN both must be in the same mode (train or eval).
```

Message (torch 1.13 to 2.13; `affine`):

```text
AssertionError: Only support fusing BatchNorm2d with affine set to True
```

Message (torch 1.13 to 2.13; `get_default_qconfig`):

```text
UserWarning: None of the submodule got qconfig applied. Make sure you passed correct configuration through `qconfig_dict` or by assigning the `.qconfig` attribute directly on submodules
```

Message (torch 1.13 to 2.13; `torch.qint8`):

```text
RuntimeError: ('Unknown dtype specified for quantize_dynamic: ', 'torch.int8')
```

Message (torch 2.0 to 2.13; `torch.qint8`):

```text
ValueError: Don't know how to quantize with default settings for torch.int8. Provide full qconfig please
```

Message (torch 1.13 to 2.13; `with_args`):

```text
ValueError: QConfig received observer instance, please pass observer class instead. Use MyObserver.with_args(x=1) to override arguments to constructor if needed
```

Message (torch 1.13 to 2.13; `per tensor`):

```text
AssertionError: Per channel weight observer is not supported yet for ConvTranspose{n}d.
```

Message (torch 1.13 to 2.13; `prepare_fx`):

```text
ValueError: input model must be a GraphModule, Got type:<class '__main__.Net'> Please make sure to follow the tutorials.
```

Message (torch 1.13 to 2.13; `cuda`):

```text
AssertionError: backend: cuda not supported. backend must be one of ['fbgemm', 'x86', 'qnnpack', 'onednn']
```

Message (torch 2.13; `convert`):

```text
NotImplementedError: It looks like you are trying to convert a non-observed MHA module. Please, see the examples on quantizable MHAs.
```

Message (torch 2.13; `x.add`):

```text
RuntimeError: FloatFunctional is not intended to use the 'forward'. Please use the underlying operation
```

Message (torch 2.13; `QuantStub`):

```text
ValueError: Input to 'quantized.avg_pool2d' must be quantized!
```

Bad (layers that do not follow each other):

```python
from torch import nn

layer, norm = nn.Linear(2, 2).eval(), nn.BatchNorm1d(3).eval()
nn.utils.fuse_linear_bn_eval(layer, norm)  # seen: `out_features`
```

Bad (without statistics):

```python
from torch import nn

norm = nn.BatchNorm2d(2, track_running_stats=False).eval()
layer = nn.utils.fuse_conv_bn_eval(nn.Conv2d(2, 2, 1).eval(), norm)  # seen: `track_running_stats`
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"prepare_qat\w* only works on models in training mode", odds=0.97)
def not_training(failure: Failure) -> Hits:
    yield failure.hit(
        "preparing for training wants model.train() first; prepare is for model.eval()"
    )


@pitfall.explains(r"Fusion only for eval!", odds=0.97)
def not_in_eval(failure: Failure) -> Hits:
    yield failure.hit("batch norm is fused with what it has learned: model.eval() first")


@pitfall.explains(r"did not find fuser method for: (?P<kinds>\(.{1,400}?>,?\))", odds=0.97)
def not_fused(failure: Failure) -> Hits:
    kinds = ", ".join(re.findall(r"\.(\w+)'>", failure.groups["kinds"]))
    yield failure.hit(
        f"there is no fused layer for {kinds} in that order: a convolution, its BatchNorm, ReLU, or a Linear and ReLU, no other activation"
    )


@pitfall.explains(
    r"Embedding quantization is only supported with float_qparams_weight_only_qconfig", odds=0.97
)
def embedding(failure: Failure) -> Hits:
    yield failure.hit(
        "an Embedding is quantized by its weight alone: its own qconfig = torch.ao.quantization.float_qparams_weight_only_qconfig, or None"
    )


@pitfall.explains(
    r"prepare_(?:qat_)?fx\(\) missing 1 required positional argument: 'example_inputs'", odds=0.97
)
def without_an_example(failure: Failure) -> Hits:
    yield failure.hit(
        "since torch 1.13 prepare_fx wants an example too: prepare_fx(model, qconfig_mapping, example_inputs=(x,))"
    )


@pitfall.explains(r"must run observer before calling calculate_qparams", odds=0.95)
def not_calibrated(failure: Failure) -> Hits:
    yield failure.hit(
        "a part of the model was never run between prepare and convert, so it is not calibrated: give it some batches first"
    )


OF_DYNAMIC = "dtype wants torch.qint8 or torch.float16, and not torch.int8"
pitfall.answers(
    {
        "both must be in the same mode (train or eval)": "the layers to fuse are partly in train and partly in eval: one mode for the whole model",
        "Only support fusing BatchNorm": "this BatchNorm does not fuse, as it has no affine or no running statistics: leave it unfused",
        "To fuse, linear.out_features == bn": "the BatchNorm has not the layer's out_features: it is the one of another layer",
        "bn.running_mean and bn.running_var must not be None": "a BatchNorm with track_running_stats=False has learned nothing to fuse: leave it",
        "None of the submodule got qconfig applied": "no layer has a qconfig, so all stay in floats: model.qconfig = "
        'torch.ao.quantization.get_default_qconfig("x86") before prepare',
        "Unknown dtype specified for quantize_dynamic": OF_DYNAMIC,
        "Don't know how to quantize with default settings for": OF_DYNAMIC,
        "received observer instance, please pass observer class": "a QConfig takes the class of an observer: MinMaxObserver.with_args(...), not MinMaxObserver()",
        "Per channel weight observer is not supported yet for ConvTranspose": "a ConvTranspose is quantized per tensor alone: its own qconfig "
        "with default_weight_observer, or None",
        "input model must be a GraphModule": "convert_fx wants the model that prepare_fx gave",
    },
    odds=0.95,
)


@pitfall.explains(r"backend: (?P<name>\w+) not supported\. backend must be one of", odds=0.95)
def no_such_engine(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is no engine of quantization, which runs on the CPU: x86, or qnnpack on ARM; torchao for a card"
    )


pitfall.answers(
    {
        "you are trying to convert a non-observed": "prepare comes before convert, and takes the module for one that it can observe",
        "FloatFunctional is not intended to use the 'forward'": "FloatFunctional stands for one operation: x.add(a, b), x.cat([a, b]), and is not called",
        "' must be quantized!": "a quantized operation is given floats: QuantStub before it, or torch.quantize_per_tensor",
    },
    odds=0.93,
)
