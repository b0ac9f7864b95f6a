r"""A module has no attribute of that name.

`nn.Module` looks for a name among its parameters, buffers and modules and its own attributes. What is
missing was never set (a branch of the constructor, a name written otherwise), was set under another
name, or the object was unpickled from a file of an older version of its class. Names of PyTorch's own
layers differ by version, too. A property is looked for like that as soon as anything inside of it is missing, and
then the property itself is said not to be there.

Cure: compare the name with the constructor; for an object from an old file, load a state dict into a new
one.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)  # seen: `a Net has no fc`; `fc1`


net = Net()
net(torch.ones(1, 2))
```

Bad (an argument that is not kept):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=2):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x).view(-1, self.width)  # seen: `a Net has no width`


net = Net()
net(torch.ones(1, 2))
```

Bad (of a layer):

```python
from torch import nn

layer = nn.Linear(2, 3)
width = layer.out_feature  # seen: `a Linear has no out_feature`
```

Bad (by its name):

```python
from torch import nn

model = nn.Sequential(nn.Linear(3, 2))
weight = model.get_parameter("1.weight")  # seen: `named_modules()`
```

Bad (a layer):

```python
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
y = layers[1](torch.ones(1, 2))  # seen: `layer 1`
```

Bad (inside of a property):

```python
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)

    @property
    def width(self):
        return self.fc1.out_feature


width = Net().width  # seen: `Net.width.fget(obj)`
```

Good:

```python
from torch import nn

layer = nn.Linear(2, 3)
width = layer.out_features
```

Message (torch 1.11 to 2.13, a whole model that an older version has pickled; `whole model`):

```text
AttributeError: 'Upsample' object has no attribute 'recompute_scale_factor'
```

Message (no frames, a layer by its name; `lin.weight`):

```text
AttributeError: 'GCNConv' object has no attribute 'weight'
```

Message (torch 0.1 to 2.13, where all weights are filled; `weight_ih_l0`):

```text
AttributeError: 'GRU' object has no attribute 'weight'
```

Message (torch 2.0 to 2.13, of a model that was pickled whole before; `later versions have`):

```text
AttributeError: 'SegNet' object has no attribute '_backward_pre_hooks'
```

Message (torch 0.1 to 2.13, of several layers; `[-1].weight`):

```text
AttributeError: 'Sequential' object has no attribute 'weight'
```

Message (torch 0.1 to 2.13, of a last layer that is a convolution; `in_channels`):

```text
AttributeError: 'Conv2d' object has no attribute 'in_features'
```

Message (torch 0.1 to 2.13, of the wrong part of a classifier; `classifier[-1]`):

```text
AttributeError: 'Dropout' object has no attribute 'in_features'
```

Message (torch 1.1 to 2.13; `before it is replaced`):

```text
AttributeError: 'Identity' object has no attribute 'in_features'
```

Message (torch 0.1 to 2.13, in a loop over all layers; `isinstance`):

```text
AttributeError: 'Linear' object has no attribute 'kernel_size'
```

Message (torch 1.3 to 2.13, of a layer that quantize_dynamic has made; `quantized`):

```text
AttributeError: 'LSTM' object has no attribute 'flatten_parameters'
```

Message (torch 1.2 to 2.13; `torch.jit.export`):

```text
AttributeError: 'RecursiveScriptModule' object has no attribute 'forward'
```

Message (torch 0.1 to 2.13; `fewer layers`):

```text
AttributeError: 'Sequential' object has no attribute '17'
```

Message (torch 0.1 to 2.13, where weights are copied; `no parameters`):

```text
AttributeError: 'Dropout' object has no attribute 'weight'
```

Message (torch 1.0 to 2.13, of what an option leaves out; `under an if`):

```text
  File "/code/tts/tacotron2.py", line 279, in inference
    speakers = self.speaker_embedding(ids)[None]
  File "/env/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1695, in __getattr__
    raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
AttributeError: 'Tacotron2' object has no attribute 'speaker_names'
```

Message (torch 1.0 to 2.13, of a layer that is misspelt; `under an if`):

```text
  File "/code/model.py", line 30, in forward
    x = self.conv1(x)
  File "/env/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1695, in __getattr__
    raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
AttributeError: 'Net' object has no attribute 'conv1'
```

Message (torch 1.0 to 2.13, of a method; `what wraps it`):

```text
  File "/code/whisper/train.py", line 663, in train_one_epoch
    model.save_checkpoint(
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 1614, in __getattr__
    raise AttributeError("'{}' object has no attribute '{}'".format(
AttributeError: 'Whisper' object has no attribute 'save_checkpoint'
```

Message (with the class beside it; `self.width = width`):

```text
'Decoder' object has no attribute 'width'

class Decoder(nn.Module):
    def __init__(self, words=1024, width=768):
        super().__init__()
        self.rnn = nn.GRU(words, width)
```

Message (torch 1.6 and 1.7):

```text
torch.nn.modules.module.ModuleAttributeError: 'Net' object has no attribute 'conv'
```

Message (torch 0.1; `0.1`):

```text
AttributeError: type object 'object' has no attribute '__getattr__'
```

Message (torch 0.4, asked by a library; `later PyTorch`):

```text
AttributeError: 'Detector' object has no attribute '_register_state_dict_hook'
```

Message (torch 1.6, asked by a library; `later PyTorch`):

```text
AttributeError: 'Conv2d' object has no attribute 'register_full_backward_hook'
```

Message (any version, a method in place of a layer; `no module`):

```text
AttributeError: 'function' object has no attribute 'register_forward_hook'
```

Message (torch 1.9 to 2.13, of get_submodule; `print(model)`):

```text
AttributeError: `weight` is not an nn.Module
```

Message (torch 1.0 to 2.13, a property in the code beside; `Net.inner.fget`):

```text
AttributeError: 'Net' object has no attribute 'inner'

class Net(nn.Module):
    @property
    def inner(self):
        print("Using Model {}".format(OPTIONS.name))
        return self.model1

print(Net().inner)
```

Message (transformers, asked as OpenAI's CLIP is; `get_image_features`):

```text
AttributeError: 'CLIPModel' object has no attribute 'encode_image'
```

Message (OpenAI's CLIP, asked as that of transformers is; `encode_text`):

```text
AttributeError: 'CLIP' object has no attribute 'get_text_features'
```

Message (of a model beside CLIP; `CLIP itself`):

```text
AttributeError: 'CaptionDecoder' object has no attribute 'encode_image'
```

Message (of what clip.load gives; `two things`):

```text
AttributeError: 'tuple' object has no attribute 'encode_image'
```

Message (torch 1.0 to 2.13, with the code; Tagger):

```text
AttributeError: 'Tagger' object has no attribute 'fc2'

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc2(x)
```

Message (any version, a name that was a file's; `model` is a model here):

```text
Traceback (most recent call last):
  File "train.py", line 21, in <module>
    probe = model.Classifier(model.backbone, max_epochs=25)
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 1185, in __getattr__
    raise AttributeError("'{}' object has no attribute '{}'".format(
AttributeError: 'MocoModel' object has no attribute 'Classifier'
```

Message (any version, in a sentence with the line; `from ... import Generator`):

```text
With PyTorch 1.10 I get AttributeError: 'SynthesisNet' object has no attribute 'Generator' from G = networks.Generator(opt)
```

Message (torchvision, a model whose head has another name; `classifier[6]`):

```text
AttributeError: 'VGG' object has no attribute 'fc'
```

Message (torchvision, of a model without that part; `all but its last layer`):

```text
AttributeError: 'ResNet' object has no attribute 'features'
```

Message (torchvision, a head of several layers; `[-1].in_features`):

```text
AttributeError: 'Sequential' object has no attribute 'in_features'
```

Message (torchvision 0.3 and later; `get_graph_node_names`):

```text
ValueError: return_layers are not present in model
```

Message (torchvision 0.11 and later; `model.named_children()`):

```text
ValueError: node: 'layer5' is not present in model. Hint: use `get_graph_node_names` to make sure the `return_nodes` you specified are present. It may even be that you need to specify `train_return_nodes` and `eval_return_nodes` separately.
```

Message (torch 1.7, a file that was pickled by other code; `pickled whole`):

```text
ModuleAttributeError: 'Generator' object has no attribute 'init_res'

I'm trying to generate from a .pkl of another repository.
```

Message (any version, in a sentence; `pickled whole`):

```text
When I run detect.py with the pre-trained model there is always AttributeError: 'TransformerBlock' object has no attribute 'conv'.
```
"""

import re
from difflib import get_close_matches

from keng.explain.advice.attributes import LATER, in_other_words, of_later_modules
from keng.explain.advice.clip import encoder_of
from keng.explain.advice.fits import meant
from keng.explain.advice.shown import (
    met_by_a_pickle,
    never_kept,
    never_set,
    taken_for_a_file,
    told_of_a_property,
)
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import MODULES

pitfall = Pitfall(__name__, __doc__, severity="error")


LAYERS = {*MODULES, "RecursiveScriptModule", "ScriptModule", "OptimizedModule"}
"""Classes of PyTorch's: where no frame tells whose class it is, only these are."""

LAYER_LIKE = re.compile(
    r"\w(?:Conv(?:\dd)?|Norm|Linear|Embed(?:ding)?|Net|Attention|For[A-Z][a-z]\w+|(?:LMHead|PreTrained)Model)$|"
    r"^(?:\w{0,30}Transformer|\w{0,30}(?:Conv|Attn|Attention|Res|Residual)|Basic|Down|Up|Dense|Mid)Block(?:\dD)?$"
)
"""Names that layers and models have in libraries over PyTorch."""


@pitfall.explains(r"(?:^|: |is )'(?P<kind>\w+)' object has no attribute '(?P<name>\w+)'", odds=0.85)
def no_such_attribute(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    last = failure.frames[-1].path if failure.frames else ""
    ours = kind in LAYERS or LAYER_LIKE.search(kind) is not None
    ours = ours or failure.kind.endswith("ModuleAttributeError")  # of torch 1.6 and 1.7
    ours = ours or (not kind[0].islower() and last.endswith("torch/nn/modules/module.py"))
    ours = ours or re.search(rf"class {kind}\([\w.]*Module\):", failure.around) is not None
    near = encoder_of(kind, name) or in_other_words(kind, name) or never_kept(failure, kind, name)
    near = near or taken_for_a_file(failure, kind, name)
    ours = ours or bool(near)
    if method := of_later_modules(kind, name):
        near, ours = method, True
    elif (kind in LAYERS or name[0] == "_") and LATER.fullmatch(f"{kind} {name}"):
        ours = True
        near = ", which later versions have: a file of an older PyTorch holds the whole model"
    if not ours:
        return
    if failure.code is not None:
        known = {*re.findall(r"\bself\.(\w+)(?:: \w+)? = ", failure.code.text)} - {name}
        close = get_close_matches(name, known, 1)
        near = near or "".join(f"; did you mean `{word}`?" for word in close)
    near = near or met_by_a_pickle(failure) or ("" if kind in LAYERS else never_set(failure, name))
    inside = told_of_a_property(failure, kind, name)
    fix = None if inside else meant(failure, kind, name)
    yield failure.hit(inside or f"a {kind} has no {name}{near}", fix)


@pitfall.explains(r"(?:^|: )(?P<kind>[A-Z]\w*) has no attribute `(?P<name>\w+)`$", odds=0.95)
def not_among_the_submodules(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(f"a {kind} has no {name}: names are as in model.named_modules()")


@pitfall.explains(r"type object 'object' has no attribute '__getattr__'", odds=0.93)
def not_told_in_old_versions(failure: Failure) -> Hits:
    yield failure.hit(
        "a module has no attribute of the name on the last line of one's own: PyTorch 0.1 does not tell it"
    )


PATH = "the path leads to what is of another kind: print(model) shows the modules, named_parameters() the rest"
KINDS = ("` is not an nn.Module", "` is not an nn.Parameter", "` is not a buffer")
NODES = "the model has no layer of a name that is asked for: get_graph_node_names(model), or model.named_children()"
NO_NODES = (
    "return_layers are not present in model",
    "is not present in model. Hint: use `get_graph",
)
pitfall.answers(dict.fromkeys(KINDS, PATH) | dict.fromkeys(NO_NODES, NODES), odds=0.93)


@pitfall.explains(r"\bindex (?P<index>-?\d+) is out of range$", odds=0.93)
def no_such_layer(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/modules/container.py"):
        yield failure.hit(f"there is no layer {failure.groups['index']}: they are numbered from 0")
