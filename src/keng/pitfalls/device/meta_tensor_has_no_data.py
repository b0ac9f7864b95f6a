r"""A tensor on the meta device is used as if it held numbers.

Tensors on the device `meta` have shape and dtype and no numbers: models are built there to save memory
(`torch.device("meta")`, `init_empty_weights`, `from_pretrained` with `low_cpu_mem_usage` or `device_map`).
Such a model must get its weights before it is moved or used; a layer that the checkpoint does not hold
stays on meta.

Cure: `model.to_empty(device="cuda")`, then load the state dict, or `load_state_dict(state,
assign=True)`; for a model of Transformers leave `.to()` away, or look which keys the checkpoint lacks.

Bad:

```python
import torch
from torch import nn

with torch.device("meta"):
    model = nn.Linear(2, 2)
model.to("cpu")  # seen: there is nothing to copy
```

Bad (a number of it):

```python
import torch

x = torch.ones(3, device="meta")
total = x.sum().item()  # seen: there is no number
```

Good:

```python
import torch
from torch import nn

state = nn.Linear(2, 2).state_dict()
with torch.device("meta"):
    model = nn.Linear(2, 2)
model.to_empty(device="cpu")
model.load_state_dict(state)
```

Message (torch 1.13):

```text
NotImplementedError: Cannot copy out of meta tensor; no data!
```

Message (torch 1.13, aten):

```text
NotImplementedError: Could not run 'aten::_local_scalar_dense' with arguments from the 'Meta' backend. This could be because the operator doesn't exist for this backend
```

Message (accelerate; `on meta`):

```text
RuntimeError: You can't save the model since some parameters are on the meta device.
```

Message (torch 2.1 to 2.13, of `load_state_dict`; `assign=True`):

```text
UserWarning: for encoder.weight: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their corresponding key in the module instead of copying them in place?)
```

Message (torch 2.0 to 2.13; `offload`):

```text
RuntimeError: Tensor on device cuda:0 is not on the expected device meta!
```

Message (torch 2.13, of torch.unique; `no numbers`):

```text
NotImplementedError: aten::_unique2: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered.
```

Bad (its memory):

```python
import torch

numbers = torch.ones(2, device="meta").untyped_storage().tolist()  # seen: `meta`
```

Message (torch 2.0 to 2.13, of a model out of the hub; `without .to() where device_map is`):

```text
model = AutoModel.from_pretrained(name, device_map="auto")
model = model.to("cuda")

NotImplementedError: Cannot copy out of meta tensor; no data!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Cannot copy out of meta tensor; no data|is on the meta device, we need a `value`", odds=0.95
)
def nothing_to_copy(failure: Failure) -> Hits:
    cure = "to_empty(device=...), then load the weights; what the checkpoint lacks stays on meta"
    if (
        failure.shows("from_pretrained")
        or failure.shows("device_map")
        or failure.shows("accelerate")
    ):
        cure = "without .to() where device_map is, without low_cpu_mem_usage, or the file lacks it, as its loading warns"
    yield failure.hit(
        f"a parameter lies on the meta device and holds no numbers: {cure}",
        failure.mended("emptied") if "Module.to_empty() instead" in failure.message else None,
    )


@pitfall.explains(
    r"cannot be called on meta tensors",
    r"Could not run '(?P<op>[\w:.]+)' with arguments from the 'Meta' backend",
    r"(?P<op>aten::[\w.]{2,60}): attempted to run this operator with Meta tensors",
    odds=0.95,
)
def no_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor on the meta device has a shape and no numbers, as its model got no weights (load_state_dict(state, assign=True)), or a part that "
        "device_map laid on the CPU or disk is used outside of its forward"
    )


@pitfall.explains(r"can't save the model since some parameters are on the meta device", odds=0.95)
def saved_without_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        "parts of the model were laid on the CPU or the disk, and lie on meta here: save with all of it on the cards"
    )


pitfall.answers(
    {
        "Not available for 'meta' device type": "a storage on meta has no bytes to read: to_empty(device=...) and the weights first",
        "to a meta parameter in the current model, which is a no-op": "the weights were not loaded, as the model lies on meta: load_state_dict(state, assign=True), or to_empty(device=...) before",
    },
    odds=0.95,
)


@pitfall.explains(
    r"Tensor on device (?:cuda|xpu|npu|hpu|mps)\S* is not on the expected device meta", odds=0.95
)
def beside_a_card(failure: Failure) -> Hits:
    yield failure.hit(
        "one of the two lies on meta and has no numbers: weights that were never loaded, or were laid on CPU or disk (offload) and are used outside of their module's forward"
    )
