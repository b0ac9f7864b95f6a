r"""A state dict does not fit the model it is loaded into.

`load_state_dict` wants the very names and shapes of the model. A checkpoint of a neighbouring
architecture, with another number of classes or with colour images where the model takes grey ones, has
others; a whole training checkpoint holds the weights one level deeper. `strict=False` forgives names
only: shapes that differ raise all the same.

Cure: build the model as it was when it was saved, or load the entries whose names and shapes agree and
print what was left out.

Bad (another number of classes):

```python
from torch import nn

saved = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 1000))
model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 10))
model.load_state_dict(saved.state_dict())  # seen: 1000 outputs in the file, 10 in the model
```

Bad (the whole checkpoint):

```python
from torch import nn

model = nn.Linear(8, 2)
checkpoint = {"epoch": 3, "state_dict": model.state_dict()}
model.load_state_dict(checkpoint)  # seen: the weights are in checkpoint["state_dict"]
```

Bad (another architecture):

```python
from torch import nn

saved = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 2))
model = nn.Sequential(nn.Linear(8, 4))
model.load_state_dict(saved.state_dict())  # seen: the file has a layer more
```

Good:

```python
from torch import nn

saved = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 1000))
model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 10))
own = model.state_dict()
fitting = {
    key: value
    for key, value in saved.state_dict().items()
    if key in own and value.shape == own[key].shape
}
missing, unexpected = model.load_state_dict(fitting, strict=False)
print("not loaded:", missing)
```

Message (torch 0.4):

```text
RuntimeError: Error(s) in loading state_dict for ResNet:
        While copying the parameter named "fc.weight", whose dimensions in the model are torch.Size([10, 512]) and whose dimensions in the checkpoint are torch.Size([1000, 512]).
```

Message (torch 2.13.0):

```text
TypeError: Expected state_dict to be dict-like, got <class 'torch.nn.modules.linear.Linear'>.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

INSIDE = (
    "state_dict",
    "model_state_dict",
    "model_state",
    "state_dict_ema",
    "model",
    "net",
    "params",
)


@pitfall.explains(r"Error\(s\) in loading state_dict for", odds=0.8)
def names_or_shapes_differ(failure: Failure) -> Hits:
    errors = failure.state_errors
    inside = [key for key in INSIDE if key in errors.unexpected]
    lacks, more = len(errors.missing), len(errors.unexpected)
    if inside:
        says = f'the weights are one level deeper, in ["{inside[0]}"]: load that entry'
    elif errors.shapes:
        key, (file, model) = next(iter(errors.shapes.items()))
        others = f", and {len(errors.shapes) - 1} others differ" if len(errors.shapes) > 1 else ""
        says = f"`{key}` is {file} in the file and {model} in the model{others}"
        says += ": leave out what differs, strict=False is not enough"
    elif errors.missing or errors.unexpected:
        first = f", `{errors.missing[0]}` first" if lacks else ""
        extra = f", `{errors.unexpected[0]}` first" if more else ""
        says = f"the file lacks {lacks} entries of the model{first}, and has {more} others{extra}"
    else:
        says = "a name or a shape in the file is another than in the model"
    yield failure.hit(says, missing=lacks, unexpected=more, shapes=len(errors.shapes))


@pitfall.explains(r"Expected state_dict to be dict-like, got <class '(?P<kind>[\w.]+)'>", odds=0.9)
def no_dict(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(f"the file holds a whole `{kind}`, not its state dict: take its state_dict()")
