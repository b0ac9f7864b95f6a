r"""A state dict does not fit the model it is loaded into.

`load_state_dict` wants the very names and shapes of the model. A checkpoint of a neighbouring
architecture, with another number of classes or with colour images where the model takes grey ones, has
others; a whole training checkpoint holds the weights one level deeper. `strict=False` forgives names
only: shapes that differ raise all the same.

Cure: build the model as it was when it was saved, or load the entries whose names and shapes agree and
print what was left out. `keng ckpt match` plans which entry goes where, `keng ckpt fix` writes the file
so, and `keng ckpt convert` joins what DeepSpeed's ZeRO-3 has left in shards.

Bad (another number of classes):

```python
from torch import nn

saved = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 1000))
model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 10))
model.load_state_dict(saved.state_dict())  # seen: 1000 outputs in the file, 10 in the model
```

Bad (another number of classes, in a head that is called so):

```python
from torch import nn


def net(classes):
    return nn.ModuleDict({"stem": nn.Linear(8, 16), "head": nn.Linear(16, classes)})


saved, model = net(14), net(4)
model.load_state_dict(saved.state_dict())  # seen: `14 outputs in the file`
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

Bad (another variant of the model):

```python
from torch import nn


def net(width):
    return nn.Sequential(nn.Linear(8, width), nn.Linear(width, width), nn.Linear(width, 2))


saved, model = net(24), net(16)
model.load_state_dict(saved.state_dict())  # seen: every width is 24 in the file, 16 in the model
```

Bad (layers under other names):

```python
from torch import nn

saved = nn.ModuleDict({"encoder": nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))})
model = nn.ModuleDict({"blocks": nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))})
model.load_state_dict(saved.state_dict())  # seen: what the file calls encoder are blocks here
```

Bad (saved while ZeRO-3 held the weights in shards):

```python
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 2))
for parameter in model.parameters():
    parameter.data = torch.empty(0)  # so DeepSpeed leaves them between the steps
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 2)).load_state_dict(torch.load(file))  # seen: [0]
```

Bad (a path):

```python
from torch import nn

model = nn.Linear(4, 2)
model.load_state_dict("best.pt")  # seen: `load_state_dict(torch.load(path))`
```

Bad (another vocabulary; `the vocabulary`):

```python
from torch import nn


def net(words):
    return nn.ModuleDict({"embedding": nn.Embedding(words, 8), "out": nn.Linear(8, words)})


net(90).load_state_dict(net(100).state_dict())  # seen: `100 rows in the file and 90 in the model`
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

Fine (an entry that is empty by right):

```python
import io

import torch
from torch import nn

model = nn.Linear(8, 2)
model.register_buffer("seen", torch.empty(0))
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file))
```

Message (torch 0.4; `the vocabulary`):

```text
RuntimeError: Error(s) in loading state_dict for model:
        size mismatch for emb.weight: copying a param of torch.Size([1914, 500]) from checkpoint, where the shape is torch.Size([11738, 500]) in current model.
        size mismatch for out.bias: copying a param of torch.Size([1914]) from checkpoint, where the shape is torch.Size([11738]) in current model.
```

Message (mmcv; `80 outputs in the file`):

```text
While copying the parameter named bbox_head.polar_cls.weight, whose dimensions in the model are torch.Size([1, 256, 3, 3]) and whose dimensions in the checkpoint are torch.Size([80, 256, 3, 3])
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

Message (a file that holds the state dict alone):

```text
KeyError: 'state_dict'
```

Message (another entry of a file; `net`):

```text
  File "/work/test.py", line 41, in <module>
    net.load_state_dict(checkpoint['net'])
KeyError: 'net'
```

Message (told in one line, with the code beside it; `model`):

```text
KeyError:'model' in main.py 552

checkpoint = torch.load(args.load, map_location="cpu")
model.load_state_dict(checkpoint["model"])
```

Message (accelerate; `weight`):

```text
ValueError: Trying to set a tensor of shape torch.Size([32000, 4096]) in "weight" (which has shape torch.Size([32001, 4096])), this look incorrect.
```

Message (diffusers; `conv_in.weight`):

```text
ValueError: Cannot load ./unet because conv_in.weight expected shape tensor(..., device='meta', size=(320, 4, 3, 3)), but got torch.Size([320, 9, 3, 3]). If you want to instead overwrite randomly initialized weights, please make sure to pass both `low_cpu_mem_usage=False` and `ignore_mismatched_sizes=True`.
```

Message (diffusers; `up_blocks.0.attn.weight`):

```text
ValueError: Cannot load <class 'diffusers.models.unet_2d_condition.UNet2DConditionModel'> from ./unet because the following keys are missing:
 up_blocks.0.attn.weight, up_blocks.0.attn.bias.
 Please make sure to pass `low_cpu_mem_usage=False` and `device_map=None` if you want to randomly initialize those weights or else make sure your checkpoint file is correct.
```

Message (nnU-Net 1):

```text
  File "/work/nnunet/run/load_pretrained_weights.py", line 61, in load_pretrained_weights
    raise RuntimeError("Pretrained weights are not compatible with the current network architecture")
RuntimeError: Pretrained weights are not compatible with the current network architecture
```

Message (nnU-Net 2; `1 input channels in the file and 4`):

```text
AssertionError: The shape of the parameters of key encoder.stages.0.0.convs.0.conv.weight is not the same. Pretrained model: torch.Size([32, 1, 3, 3, 3]); your network: torch.Size([32, 4, 3, 3, 3]). The pretrained model does not seem to be compatible with your network.
```

Message (fairseq):

```text
Exception: Cannot load model parameters from checkpoint checkpoints/checkpoint_last.pt; please ensure that the architectures match.
```

Message (Lightning, a file that holds the state dict alone):

```text
KeyError: 'pytorch-lightning_version'
```

Message (torch 1.0 to 2.13; `4 input channels in the file and 5`):

```text
RuntimeError: Error(s) in loading state_dict for SegNet:
        size mismatch for conv1.weight: copying a param with shape torch.Size([64, 4, 7, 7]) from checkpoint, the shape in current model is torch.Size([64, 5, 7, 7]).
```

Message (torch 1.0 to 2.13; another kernel, `trained anew`):

```text
RuntimeError: Error(s) in loading state_dict for UNet:
        size mismatch for proj.conv.weight: copying a param with shape torch.Size([256, 864, 3, 3]) from checkpoint, the shape in current model is torch.Size([256, 864, 1, 1]).
```

Message (torch 1.0 to 2.13; `197 positions in the file and 577`):

```text
RuntimeError: Error(s) in loading state_dict for VisionTransformer:
        size mismatch for pos_embed: copying a param with shape torch.Size([1, 197, 768]) from checkpoint, the shape in current model is torch.Size([1, 577, 768]).
```

Message (torch 1.0 to 2.13; `of another model or version`):

```text
RuntimeError: Error(s) in loading state_dict for Model2:
        Unexpected key(s) in state_dict: "t.prnet.conv1.weight".
```

Message (torch 1.0 to 2.13; `is of a part`):

```text
RuntimeError: Error(s) in loading state_dict for Matcher:
        Missing key(s) in state_dict: "tmr.tokens", "tmr.projection.weight", "tmr.projection.bias".
```

Message (torch 1.0 to 2.13; `another architecture`):

```text
RuntimeError: Error(s) in loading state_dict for ResNet:
        Missing key(s) in state_dict: "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var".
        Unexpected key(s) in state_dict: "bn1.weight", "layer1.0.conv3.weight", "layer1.0.bn3.weight", "layer1.0.bn3.bias", "layer1.0.downsample.0.weight".
```

Message (torch 1.0 to 2.13, without its lines):

```text
RuntimeError: Error(s) in loading state_dict for LightningGPTModule:
```

Message (torch 2.13; `returned nothing`):

```text
TypeError: Expected state_dict to be dict-like, got <class 'NoneType'>.
```

Message (torch 2.13; `a line of its own`):

```text
TypeError: Expected state_dict to be dict-like, got <class 'torch.nn.modules.module._IncompatibleKeys'>.
```

Message (torch 2.13; `one of its parts`):

```text
TypeError: Expected state_dict to be dict-like, got <class 'tuple'>.
```

Message (torch 2.13; `an open file`):

```text
TypeError: Expected state_dict to be dict-like, got <class '_io.BufferedReader'>.
```

Message (a file that holds the weights alone; `the checkpoint of a training`):

```text
  File "/work/demo.py", line 92, in load_model
    ckpt = torch.load(path); args = vars(ckpt['args'])
KeyError: 'args'
```

Message (PEFT 0.14 to 0.18; `adapter_name`):

```text
UserWarning: Found missing adapter keys while loading the checkpoint: ['base_model.model.layers.0.self_attn.q_proj.lora_A.default.weight'].
```

Message (torch 0.3; `prefix`):

```text
KeyError: 'missing keys in state_dict: "{'tail.0.2.bias', 'tail.0.2.weight'}"'
```

Message (torch 1.0 to 2.13, of a generator of other classes; `the list that it was trained with`):

```text
RuntimeError: Error(s) in loading state_dict for Generator:
        size mismatch for shared.weight: copying a param with shape torch.Size([1000, 128]) from checkpoint, the shape in current model is torch.Size([2, 128]).
```

Message (torch 1.0 to 2.13, shortened by hand; `cut short`):

```text
RuntimeError: Error(s) in loading state_dict for ResNet: Missing key(s) in state_dict: "conv1.weight", "bn1.weight", ...
```

Message (torch 1.0 to 2.13, of a model with an adapter; `the adapter alone`):

```text
RuntimeError: Error(s) in loading state_dict for PeftModelForCausalLM:
        Missing key(s) in state_dict: "base_model.model.model.embed_tokens.weight", "base_model.model.model.layers.0.self_attn.q_proj.base_layer.weight".
```

Message (torch 1.0 to 2.13, of a model with an adapter; `PeftModel.from_pretrained`):

```text
RuntimeError: Error(s) in loading state_dict for Transformer:
        Unexpected key(s) in state_dict: "0.auto_model.base_model.model.embeddings.word_embeddings.weight", "0.auto_model.base_model.model.encoder.layer.0.attention.self.query.lora_A.default.weight".
```

Message (of a file that fastai or a program of one's own has written; `no entry `config``):

```text
I cannot run the notebook with the example.pth that it has written:
  File "learner.py", line 18, in music_model_learner
    if config is None: config = state['config']
KeyError: 'config'
```
"""

import re

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.mapping import Plan, in_numbers, in_words, of_another_head
from keng.ckpt.tree import dotted
from keng.explain.advice.loaded import is_state_of_file, no_state_dict, without_entry
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.state_names import NESTINGS

pitfall = Pitfall(__name__, __doc__, severity="error")
OF_A_FILE = r"torch\.load\(|\b(?:checkpoint|ckpt|state_dict)\w*\[|load_(?:checkpoint|model)\w*: "


@pitfall.explains(
    r"Error\(s\) in loading state_dict for|(?:Missing|Unexpected) key\(s\) in state_dict|[Ss]ize mismatch for [\w.]{1,200}|While copying the parameter named ",
    r"Trying to set a tensor of shape torch|Cannot load .{1,300}? because (?:[\w.]+ expected shape|the following keys are missing)|Cannot load model parameters from checkpoint|missing keys in state_dict: |[Pp]retrained (?:weights are not|(?:weights|model) do(?:es)? not seem to be) compatible with",
    odds=0.8,
)
def names_or_shapes_differ(failure: Failure) -> Hits:
    errors, plan = failure.state_errors, failure.plan
    inside = next((key for key in NESTINGS if key in errors.unexpected), "")
    fix = failure.loaded_as(plan) if plan.settled else None
    if fix:
        says = in_words(plan)
    elif inside:
        says = f'the weights are one level deeper, in ["{inside}"]: load that entry'
    else:
        says = (
            _in_other_form(plan) or of_another_head(errors) or in_numbers(errors, failure.message)
        )
    lacks, more = len(errors.missing), len(errors.unexpected)
    yield failure.hit(says, fix, missing=lacks, unexpected=more, shapes=len(errors.shapes))


def _in_other_form(plan: Plan) -> str:
    """What one change of the whole explains."""
    empty = [each for each in plan.missing if each.why == "sharded"]
    if plan.variant:
        says = f"the file is of another variant: {plan.variant}, in {len(plan.missing)} entries"
        return f"{says}; build the model in that size"
    if likely := plan.likely:
        says = f"`{likely.old}` of the file may be `{likely.new}` of the model: rename it where the shapes agree"
        return f"{says}, and leave out a head of another number of classes"
    if empty:
        return f"`{empty[0].name}` is empty in the file, as ZeRO-3 saves it: `keng ckpt convert FOLDER OUT` joins DeepSpeed's shards"
    return ""


@pitfall.explains(
    r"(?:^|Error: )'(?P<key>(?P<sure>\w{0,20}state_dict|pytorch-lightning_version|best_loss)|\w{0,20}(?:model|encoder|decoder|discriminator|means|iteration|step|args|config|params|params_ema|generator|network|teacher|student|classifier|global_step|lr_scheduler|loss|weights|optimizer|scheduler|epoch|hyper_parameters|model_state|state|weight|best_acc1?|arch|backbone|scaler|module))'(?=$| is raised| (?:in|at|on) (?:line \d|[\w./\\-]{1,80}\.py\b))",
    r"(?:^|Error: )(?P<short>'net'|'netG'|'acc'|'opt'|'ema')(?=$| is raised| (?:in|at|on) (?:line \d|[\w./\\-]{1,80}\.py\b))",
    odds=0.7,
)
def no_such_entry(failure: Failure) -> Hits:
    last = " ".join(f"{frame.function}: {frame.text}" for frame in failure.frames[-1:])
    shown = last or f"{failure.message}\n{failure.around}"
    of_a_file = re.search(OF_A_FILE, shown) or is_state_of_file(failure, last)
    if failure.kind == "KeyError" and (of_a_file or failure.groups.get("sure")):
        key = failure.groups.get("key") or failure.groups["short"].strip("'")
        yield failure.hit(*without_entry(failure, key))


@pitfall.explains(r"Expected state_dict to be dict-like, got <class '(?P<kind>[\w.]+)'>", odds=0.9)
def no_dict(failure: Failure) -> Hits:
    yield failure.hit(no_state_dict(failure.groups["kind"].rpartition(".")[2]))


ADAPTER = "the adapter's file has no such names, and these weights stay as they were made: another adapter_name, class or version of the model than when it was saved"
pitfall.answers({"Found missing adapter keys while loading": ADAPTER}, odds=0.9)


@pitfall.inspects("emptied")
def saved_in_shards(checkpoint: Checkpoint) -> Hits:
    for empty in checkpoint.emptied:
        says = f"{len(empty)} weights are empty, `{dotted(empty[0])}` first, as ZeRO-3 saves them: `keng ckpt convert FOLDER OUT` joins the shards"
        yield checkpoint.hit(says, empty=len(empty))
