r"""A class is used where an object of it is wanted.

`nn.Sigmoid` is a class: `nn.Sigmoid()` makes a layer, and `nn.Sigmoid()(x)` calls it. `nn.Sigmoid(x)` takes the tensor for an option, and
`Net.parameters()` has no model whose parameters these are; `SummaryWriter.add_graph(model)` takes the model for the writer. So it is with `transforms.ToTensor()(image)`, with losses and with optimizers.

Cure: make the object once, `model = Net()`, and use it; `torch.sigmoid(x)` and `F.relu(x)` are the functions.

Bad (a layer made of a tensor):

```python
import torch
from torch import nn

y = nn.Sigmoid(torch.ones(2))  # seen: `nn.Sigmoid()(x)`
```

Bad (the parameters of a class):

```python
from torch import nn
from torch.optim import SGD


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


model = Net
optimizer = SGD(model.parameters(), lr=0.1)  # seen: `model` is the class
```

Bad (a class derived from an object):

```python
from torch import nn


class Net(nn.Module()):  # seen: `nn.Module`
    pass
```

Bad (what the layer is asked for that its result has):

```python
import torch
from torch import nn

y = nn.ReLU(torch.ones(2))
rows = y.size(0)  # seen: the layer, not its result
```

Good:

```python
import torch
from torch import nn
from torch.optim import SGD

model = nn.Sequential(nn.Linear(2, 2), nn.Sigmoid())
optimizer = SGD(model.parameters(), lr=0.1)
y = nn.ReLU()(model(torch.ones(2)))
rows = y.size(0)
```

Bad (the forward of a class):

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


y = Net.forward(torch.ones(2))  # seen: `Net` is the class
```

Bad (a method of a class, with what should come second):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x, mask=None):
        return self.fc(x)


y = Net.forward(torch.ones(2), None)  # seen: `Net.forward`
```

Message (torch 1.1 to 2.13; `SummaryWriter.add_scalar`):

```text
  File "/home/u/train.py", line 14, in <module>
    SummaryWriter.add_scalar("loss", 0.5, 1)
  File "/env/lib/python3.11/site-packages/torch/utils/tensorboard/writer.py", line 393, in add_scalar
    self._get_file_writer().add_summary(summary, global_step, walltime)
AttributeError: 'str' object has no attribute '_get_file_writer'
```

Message (tensorboardX; `SummaryWriter.add_graph`):

```text
  File "/home/u/show.py", line 14, in <module>
    SummaryWriter.add_graph(model,input,True)
  File "/env/lib/python3.6/site-packages/tensorboardX/writer.py", line 569, in add_graph
    if not self.caffe2_enabled:
  File "/env/lib/python3.6/site-packages/torch/nn/modules/module.py", line 539, in __getattr__
    type(self).__name__, name))
AttributeError: 'Pose' object has no attribute 'caffe2_enabled'
```

Message (torch 0.4 to 1.13, with the code; `model` is the class):

```text
TypeError: forward() missing 1 required positional argument: 'x'

model = Net
y = model.forward(x)
```

Message (torch 0.3 to 1.13, Python before 3.10; `optimizer`):

```text
  File "train.py", line 20, in <module>
    optimizer.zero_grad()
TypeError: zero_grad() missing 1 required positional argument: 'self'
```

Bad (a layer is filled):

```python
from torch import nn

layer = nn.Linear(2, 2)
nn.init.constant_(layer, 0.0)  # seen: `layer.weight`
```
"""

import re

from keng.explain.advice.classes import called_on_class
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import MODULES, TENSOR_METHODS

pitfall = Pitfall(__name__, __doc__, severity="error")

METHODS = (
    r"(?:(?:Module|Optimizer)\.)?(?P<method>parameters|named_parameters|state_dict|load_state_dict|zero_grad|add_param_group)|"
    r"(?:Module|Optimizer)\.(?P<other>eval|train|step|modules|children|named_modules)"
)
ASKED = TENSOR_METHODS | set("backward item numpy size dim ndim shape dtype device grad".split())
MADE = re.compile(r"\bnn\.(?P<name>[A-Z]\w*)\((?=\w)")


@pitfall.explains(
    rf"\b(?:{METHODS})\(\) missing 1 required positional argument: '(?:self|state_dict)'",
    odds=0.93,
)
def method_of_the_class(failure: Failure) -> Hits:
    method = failure.groups.get("method") or failure.groups["other"]
    of = re.findall(rf"\b(\w+)\.{method}\((.?)", failure.line or failure.around)
    if method == "load_state_dict" and (not of or of[0][1] == ")"):
        return  # of an object, and nothing to load
    what = f"`{of[0][0]}` is the class" if of else "this is the class"
    yield failure.hit(f"{what}, and no object of it: parentheses where it is made, model = Net()")


@pitfall.explains(r"\bforward\(\) missing 1 required positional argument: '\w+'", odds=0.93)
def forward_of_the_class(failure: Failure) -> Hits:
    text = failure.line or failure.around
    for name in dict.fromkeys(re.findall(r"\b(\w+)\.forward\((?=[^)\s])", text)):
        if re.match(r"[A-Z](?!\w*(?:Function|Fn)$)", name) or re.search(
            rf"^\s*{name} = [A-Z]\w*\s*$", text, re.MULTILINE
        ):
            yield failure.hit(
                f"`{name}` is the class, and no object of it: parentheses where it is made, model = Net()"
            )
            return


@pitfall.explains(
    r"\b(?P<owner>[A-Z]\w{1,60})(?:\.__init__)?\(\) takes (?:no (?:arguments|parameters)|1 positional argument but \d+ were given)",
    r"(?P<owner>)(?:__init__|object)\(\) takes (?:no parameters|1 positional argument but \d+ were given)",
    odds=0.93,
)
def made_of_a_tensor(failure: Failure) -> Hits:
    text = failure.line or failure.around
    # Where a class is defined beside the error, it is that one which takes nothing.
    made = [found["name"] for found in MADE.finditer(text) if "class " not in text]
    name = failure.groups["owner"] or (made[0] if len(made) == 1 else "")
    if name == "Module":
        yield failure.hit("a class is derived from `nn.Module`, without parentheses behind it")
    elif name in MODULES:
        yield failure.hit(
            f"`nn.{name}` is a class, and what is computed with is an object of it: `nn.{name}()(x)`"
        )


@pitfall.explains(r"'(?P<kind>[A-Z]\w+)' object has no attribute '(?P<name>[a-z]\w*)'", odds=0.93)
def asked_of_the_layer(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if kind in MODULES and failure.passed_through("torch/nn/init.py"):
        yield failure.hit(
            f"an initializer fills a tensor, and this is a whole {kind}: layer.weight, and layer.bias"
        )
    elif kind in MODULES and name in ASKED:
        yield failure.hit(
            f"`{name}` is a tensor's, and this is the layer, not its result: {kind}(...)(x)"
        )


@pitfall.explains(r"'\w{1,80}' object has no attribute '(?P<name>\w{1,80})'", odds=0.95)
def first_argument_for_the_object(failure: Failure) -> Hits:
    if found := called_on_class(failure, failure.groups["name"]):
        yield failure.hit(
            f"`{found[0]}` is called on the class, and its first argument takes the place of the object: make one, and call its method",
            where=found[1],
        )
