r"""A model is prepared for quantization in the wrong mode, or with layers that do not fuse.

`prepare_qat` is for training and wants `model.train()`; `prepare`, `convert` and the fusion of batch norm into its convolution are for `model.eval()`. What can be
fused is a convolution or linear layer with the batch norm and ReLU after it, in that order, by their names in the model.

Cure: `model.eval()` before `fuse_modules` and `prepare`; `fuse_modules_qat` and `prepare_qat` after `model.train()`; print the model for the names.

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
"""

import re

from keng.failures import Failure
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
    yield failure.hit(f"there is no fused layer for {kinds} in that order")


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
