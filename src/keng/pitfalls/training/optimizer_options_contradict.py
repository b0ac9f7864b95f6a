r"""An optimizer cannot take these options, parameters or gradients.

`fused` and `foreach` are two ways of doing one thing. `LBFGS` knows a single group, `Muon` matrices only. `nn.Embedding(sparse=True)` gives sparse
gradients, which `SparseAdam` takes, and `SGD` and `Adagrad` without weight decay; `SparseAdam` takes no others.

Cure: one of `fused` and `foreach`, or neither; a second optimizer for the parameters that the first cannot take; `sparse=False`
for an embedding that is not huge.

Bad (two ways):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters(), fused=True, foreach=True)  # seen: `one of them`
```

Bad (sparse gradients):

```python
import torch
from torch import nn

table = nn.Embedding(9, 2, sparse=True)
optimizer = torch.optim.Adam(table.parameters())
table(torch.tensor([1, 2])).sum().backward()
optimizer.step()  # seen: `SparseAdam`
```

Good:

```python
import torch
from torch import nn

table, head = nn.Embedding(9, 2, sparse=True), nn.Linear(2, 1)
optimizers = torch.optim.SparseAdam(table.parameters()), torch.optim.Adam(head.parameters())
head(table(torch.tensor([1, 2]))).sum().backward()
for optimizer in optimizers:
    optimizer.step()
```

Message (torch 2.13; `[2]`):

```text
ValueError: Muon only supports 2D parameters whereas we found a parameter with size: torch.Size([2])
```

Message (Lightning; `fused=False`):

```text
RuntimeError: The current optimizer, AdamW, does not allow for gradient clipping because it performs unscaling of gradients internally. HINT: Are you using a 'fused' optimizer?
```

Message (torch 1.12.0; `1.12.1`):

```text
AssertionError: If capturable=False, state_steps should not be CUDA tensors.
```

Message (torch 1.12 to 2.13; `capturable=False`):

```text
AssertionError: If capturable=True, params and state_steps must be CUDA tensors.
```

Message (torch 2.6 to 2.13; `named_parameters()`):

```text
ValueError: all optimizer params should be with/without names. Some param names are missing
```

Message (torch 1.13; `fused=False`):

```text
RuntimeError: FusedAdam requires all the params to be CUDA, floating point
```

Message (torch 2.0; `fused=False`):

```text
RuntimeError: `fused=True` requires all the params to be CUDA, floating point Tensor
```

Message (torch 2.3 to 2.13; `sparse=False`):

```text
RuntimeError: `_fused_sgd` does not support sparse gradients
```

Message (torch 2.13; `foreach=False`):

```text
AssertionError: _foreach ops don't support autograd
```

Message (torch 2.13; `torch.tensor(float(step))`):

```text
RuntimeError: API has changed, `state_steps` argument must contain a list of singleton tensors
```

Message (torch 2.13; `strong_wolfe`):

```text
RuntimeError: only 'strong_wolfe' is supported
```

Message (torch 2.13; `capturable=False`):

```text
AssertionError: If capturable=True, params, mus, etas, and state_steps must be on supported devices: ['cuda', 'xpu', 'hpu', 'privateuseone', 'xla'].
```

Message (torch 2.13; `0.999`):

```text
ValueError: Invalid decay value 1.5 provided. Please provide a value in [0,1] range.
```

Message (torch 2.13; `two ways`):

```text
AssertionError: Only one of avg_fn and multi_avg_fn should be provided
```

Message (torch 2.13; `match_rms_adamw`):

```text
ValueError: Adjust learning rate function rms is not supported
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CURES = {
    "`fused` and `foreach` cannot be `True` together": "fused and foreach are two ways of the same step: one of them",
    "LBFGS doesn't support per-parameter options": "one group of parameters is all that LBFGS has: an optimizer for each",
    "SparseAdam does not support dense gradients": "dense gradients are not for SparseAdam: Adam for what is no embedding with sparse=True",
    "weight_decay option is not compatible with sparse gradients": "weight decay would touch the rows that the sparse "
    "gradient leaves out: weight_decay=0",
    "as a Tensor is not supported for capturable=False and foreach=True": "a learning rate or beta that is a tensor wants "
    "capturable=True or foreach=False; a number does without",
    "`fused=True` requires all the params to be floating point Tensors of supported devices": "not all parameters "
    "are floats on a device that has a fused step: fused=False, or move the model first",
    "does not allow for gradient clipping because it performs unscaling": "a fused optimizer takes the loss scale off "
    "by itself, after the clipping: fused=False, or precision='bf16-mixed'",
    "If capturable=False, state_steps should not be CUDA": "the steps were loaded onto the card, which PyTorch 1.12.0 refuses: 1.12.1, "
    "or capturable=True in each group",
    "If capturable=True, params": "capturable wants parameters and steps on the card: model and state there first, "
    "or capturable=False",
    "should be with/without names": "pairs of a name and a parameter are given everywhere or nowhere: named_parameters() for all "
    "groups, or parameters()",
    "betas must be either both floats or both Tensors": "both betas are numbers, or both tensors",
    "with fused=True does not support differentiable=True": "a fused step cannot be differentiated: fused=False",
    "`fused` does not support `differentiable`": "a fused step cannot be differentiated: fused=False",
    "SparseAdam requires dense parameter tensors": "the parameters of SparseAdam are dense and its gradients sparse: no to_sparse()",
    "Tensor lr must be 1-element": "a learning rate that is a tensor has one element",
    "requires all the params to be CUDA, floating point": "not all parameters "
    "are floats on a device that has a fused step: fused=False, or move the model first",
    "`fused` cannot be `differentiable`": "a fused step cannot be differentiated: fused=False",
    "`_fused_sgd` does not support sparse gradients": "a fused step takes no sparse gradients: fused=False, or sparse=False for the embedding",
    "`fused` does not support sparse grad": "a fused step takes no sparse gradients: fused=False, or sparse=False for the embedding",
    "but param_groups' capturable is False": "a step that is captured in a CUDA graph wants capturable=True",
    "_foreach ops don't support autograd": "a step that is differentiated goes parameter by parameter: foreach=False with differentiable=True",
    "only 'strong_wolfe' is supported": "LBFGS knows one line search: line_search_fn='strong_wolfe', or None for none",
    "Adjust learning rate function": "Muon scales its rate by the shape of each matrix: adjust_lr_fn='original', or 'match_rms_adamw' with a rate as for AdamW",
    "argument must contain a list of singleton tensors": "the steps in the optimizer's state are plain numbers, as before PyTorch 1.12 or in a state written by hand: torch.tensor(float(step)) for each",
    "Invalid decay value": "the decay of an average is the share that is kept, from 0 to 1: 0.999, and no percentage",
    "Only one of avg_fn and multi_avg_fn": "two ways of averaging are given to AveragedModel: one of them",
}


pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"(?P<name>Adam\w*|NAdam|RAdam|ASGD|RMSprop|Rprop|Adadelta|Adafactor|Muon) does not support sparse gradients",
    odds=0.96,
)
def sparse_gradients(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"sparse gradients, which nn.Embedding(sparse=True) gives, are not for {name}: SparseAdam, or sparse=False"
    )


@pitfall.explains(
    r"Muon only supports 2D parameters whereas we found a parameter with size: torch\.Size\((?P<size>\[[\d, ]*\])\)",
    odds=0.97,
)
def no_matrix(failure: Failure) -> Hits:
    size = failure.groups["size"]
    yield failure.hit(
        f"a parameter of size {size} is no matrix, and Muon is for those: AdamW for the rest"
    )
