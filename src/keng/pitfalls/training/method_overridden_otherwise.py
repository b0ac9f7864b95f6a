r"""A method is overridden with other arguments than its caller gives.

A library calls the methods of its classes with arguments of its own, and a subclass that writes one over has to take them all. `nn.Module.eval` calls `self.train(False)`, `state_dict` of a
model calls that of its parts with `destination=` and `prefix=`, Transformers' Trainer gives `compute_loss` a `num_items_in_batch` since 4.46 and `log` a `start_time`, Lightning
gives each step the number of its batch, `nn.TransformerEncoder` hands its layers `is_causal` since torch 2.0. A new release may give one more.

Cure: the signature of the installed release, as `help(Base.method)` shows it; `*args, **kwargs` at its end, handed on to `super()`, also outlives the next one.

Bad:

```python
from torch import nn


class Net(nn.Sequential):
    def train(self):
        return super().train(True)


Net(nn.Linear(2, 2)).eval()  # seen: `train`
```

Bad (of a part of a model):

```python
from torch import nn


class Part(nn.Linear):
    def state_dict(self):
        return super().state_dict()


state = nn.Sequential(Part(2, 2)).state_dict()  # seen: `state_dict`
```

Bad (a layer of one's own in torch's encoder):

```python
import torch
from torch import nn


class Layer(nn.TransformerEncoderLayer):
    def forward(self, src, src_mask=None, src_key_padding_mask=None):
        return src + self.linear2(self.linear1(src))


encoder = nn.TransformerEncoder(Layer(8, 2), 1, enable_nested_tensor=False)
y = encoder(torch.ones(5, 2, 8))  # seen: `is_causal=False`
```

Good:

```python
from torch import nn


class Net(nn.Sequential):
    def train(self, mode=True):
        return super().train(mode)

    def state_dict(self, *args, **kwargs):
        return super().state_dict(*args, **kwargs)


state = nn.Sequential(Net(nn.Linear(2, 2)).eval()).state_dict()
```

Message (transformers 4.46 to 5; `**kwargs`):

```text
TypeError: WeightedTrainer.compute_loss() got an unexpected keyword argument 'num_items_in_batch'
```

Message (transformers 4.46 to 5; `training_step`):

```text
  File "/env/lib/python3.10/site-packages/transformers/trainer.py", line 2548, in _inner_training_loop
    tr_loss_step = self.training_step(model, inputs, num_items_in_batch)
TypeError: WeightedTrainer.training_step() takes 3 positional arguments but 4 were given
```

Message (transformers 4.47 and later; `log`):

```text
  File "/env/lib/python3.10/site-packages/transformers/trainer.py", line 3073, in _maybe_log_save_evaluate
    self.log(logs, start_time)
TypeError: WeightedTrainer.log() takes 2 positional arguments but 3 were given
```

Message (Lightning 1 and 2, without its traceback; `training_step`):

```text
TypeError: LitModel.training_step() takes 2 positional arguments but 3 were given
```

Message (Lightning 1 and 2; `training_step`):

```text
  File "/env/lib/python3.8/site-packages/pytorch_lightning/trainer/training_loop.py", line 804, in run_training_batch
    output = self.trainer.accelerator.training_step(args)
TypeError: training_step() takes 2 positional arguments but 3 were given
```

Message (PyTorch Geometric 2; `__inc__`):

```text
  File "/env/lib/python3.7/site-packages/torch_geometric/data/collate.py", line 224, in <listcomp>
    data.__inc__(key, value, store)
TypeError: __inc__() takes 3 positional arguments but 4 were given
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CALLERS = {
    r"torch/(?:nn|optim|amp|cuda/amp)/": r"train|eval|_?(?:load_)?state_dict|_load_from_state_dict|_save_to_state_dict|_apply|apply|zero_grad|step|get_lr|named_\w+|parameters|extra_repr",
    r"(?:transformers|trl|sentence_transformers|setfit)/": r"compute_loss|training_step|prediction_step|log|evaluate|predict|create_(?:optimizer|scheduler)\w*|"
    r"_?get_\w+_(?:dataloader|sampler)|\w+_loop|_?save\w*|floating_point_ops|on_\w+",
    r"(?:pytorch_)?lightning/": r"(?:training|validation|test|predict)_(?:step|step_end|epoch_end)|optimizer_(?:step|zero_grad)|lr_scheduler_step|on_\w+|configure_\w+|"
    r"transfer_batch_to_device|backward|setup|teardown|log_\w+|\w+_dataloader",
    r"torch_geometric/": r"__inc__|__cat_dim__|message|aggregate|update",
}
"""The libraries, and the methods of theirs that people write over."""

TRAINERS = r"compute_loss|(?:training|validation|prediction)_(?:step|epoch_end)|optimizer_step|lr_scheduler_step|on_train_batch_start|on_validation_batch_end"
"""Methods that only trainers call."""


@pitfall.explains(
    r"\b(?:\w{1,80}\.)?(?P<name>\w{1,80})\(\) (?:takes (?:from \d+ to )?\d+ positional arguments? but \d+ (?:was|were) given|"
    r"got an unexpected keyword argument '\w{1,80}'|missing \d+ required positional arguments?: '(?!dataloader_idx|optimizer_idx))",
    odds=0.96,
)
def called_by_its_library(failure: Failure) -> Hits:
    name, where = failure.groups["name"], f"{failure.raised_in}\n{failure.around}"
    last = failure.frames[-1] if failure.frames else None
    if last is not None and "/torch/" in last.posix and f".{name}(" not in last.text:
        return  # what a wrapper hands on, the program has given
    own = [names for path, names in CALLERS.items() if re.search(rf"-packages/{path}", where)]
    known = "|".join(own) or (r"(?!)" if failure.frames else TRAINERS)
    if re.fullmatch(known, name):
        yield failure.hit(
            f"{name} is overridden, and its library calls it with other arguments than the override takes: the signature of the installed "
            "release, or *args, **kwargs handed on to super()"
        )


@pitfall.explains(
    r"(?P<name>compute_loss)\(\) got an unexpected keyword argument 'num_items_in_batch'", odds=0.97
)
def since_it_counts_items(failure: Failure) -> Hits:
    yield failure.hit(
        "the Trainer gives compute_loss a num_items_in_batch since transformers 4.46: def compute_loss(self, model, inputs, return_outputs=False, **kwargs)"
    )


@pitfall.explains(
    r"\bforward\(\) got an unexpected keyword argument '(?P<name>(?:tgt_|memory_)?is_causal)'",
    odds=0.97,
)
def since_it_may_be_causal(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.passed_through("torch/nn/modules/transformer.py"):
        yield failure.hit(
            f"torch's transformers hand `{name}` on since torch 2.0, and the layer of your own that they call does not take it: {name}=False in its forward"
        )
