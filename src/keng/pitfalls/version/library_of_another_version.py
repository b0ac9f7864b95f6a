r"""A library beside PyTorch is of another version than the code that calls it.

Libraries that are built on PyTorch rename and drop arguments and names from one minor version to the next: Lightning 2.0 has no `Trainer(gpus=...)`, huggingface_hub
0.26 no `cached_download`, transformers 4.51 calls `evaluation_strategy` `eval_strategy`. Code of an older tutorial, or an installed package that was made before, still
asks for them; code that is newer than what is installed asks for names that are not there yet. A checkpoint tells what its model is, and a transformers from before
that model does not know it. An installation that was broken off, or a file copied into it, leaves files of two versions
side by side; a notebook's kernel that has loaded the older one keeps it after `pip install -U`, and takes the rest from the newer.

Cure: in code of one's own write the new name; where an installed package asks, `pip install -U` that package, or pin the library below the version that
is named; where something is not there yet, `pip install -U` the library, and restart the notebook's kernel.

Bad:

```python
from huggingface_hub import cached_download

path = cached_download("https://huggingface.co/gpt2/resolve/main/config.json")
```

Bad (an argument that went):

```python
import pytorch_lightning as pl

trainer = pl.Trainer(gpus=1)
```

Good:

```python
import pytorch_lightning as pl
from huggingface_hub import hf_hub_download


def fetched(file):
    return hf_hub_download("gpt2", file)


trainer = pl.Trainer(accelerator="cpu", devices=1, logger=False)
```

Message (huggingface_hub 0.26 and later; `hf_hub_download`):

```text
ImportError: cannot import name 'cached_download' from 'huggingface_hub' (/env/lib/python3.10/site-packages/huggingface_hub/__init__.py)
```

Message (diffusers 0.24 with huggingface_hub 0.26; `pip install -U diffusers`):

```text
Traceback (most recent call last):
  File "train.py", line 1, in <module>
    from diffusers import StableDiffusionPipeline
  File "/env/lib/python3.10/site-packages/diffusers/utils/dynamic_modules_utils.py", line 28, in <module>
    from huggingface_hub import HfFolder, cached_download, hf_hub_download, model_info
ImportError: cannot import name 'cached_download' from 'huggingface_hub' (/env/lib/python3.10/site-packages/huggingface_hub/__init__.py)
```

Message (Lightning 1.5 and later; `pytorch-lightning<1.5`):

```text
ModuleNotFoundError: No module named 'pytorch_lightning.metrics'
```

Message (diffusers, a newer file beside older ones; `two versions are mixed`):

```text
  File "/env/lib/python3.10/site-packages/diffusers/models/unet_blocks.py", line 20, in <module>
    from .attention import AttentionBlock, SpatialTransformer
  File "/env/lib/python3.10/site-packages/diffusers/models/attention.py", line 24, in <module>
    from ..models.embeddings import ImagePositionalEmbeddings
ImportError: cannot import name 'ImagePositionalEmbeddings' from 'diffusers.models.embeddings' (/env/lib/python3.10/site-packages/diffusers/models/embeddings.py)
```

Message (torchtext, upgraded from 0.11 to 0.12 under a running kernel; `restart a notebook's kernel`):

```text
----> 1 import torchtext.transforms as T
      2 from torch.hub import load_state_dict_from_url

/opt/conda/lib/python3.7/site-packages/torchtext/transforms.py in <module>
      5 from torchtext.data.functional import load_sp_model
----> 6 from torchtext.utils import get_asset_local_path
      7 from torchtext.vocab import Vocab

ImportError: cannot import name 'get_asset_local_path' from 'torchtext.utils' (/opt/conda/lib/python3.7/site-packages/torchtext/utils.py)
```

Message (huggingface_hub 1; `get_token and login`):

```text
AttributeError: module 'huggingface_hub' has no attribute 'HfFolder'
```

Message (torchvision 0.17 and later; `torchvision.transforms.functional`):

```text
ModuleNotFoundError: No module named 'torchvision.transforms.functional_tensor'
```

Message (torchvision 0.11 and later; `torch.hub.load_state_dict_from_url`):

```text
ModuleNotFoundError: No module named 'torchvision.models.utils'
```

Message (torchvision 0.15 and later; `ResNet50_Weights.DEFAULT.url`):

```text
ImportError: cannot import name 'model_urls' from 'torchvision.models.resnet' (/env/lib/python3.10/site-packages/torchvision/models/resnet.py)
```

Message (torchvision 0.3 and later; `cfgs`):

```text
AttributeError: module 'torchvision.models.vgg' has no attribute 'cfg'
```

Message (torchvision 0.10 and before; `0.11`):

```text
AttributeError: module 'torchvision.models' has no attribute 'efficientnet_b0'
```

Message (torchvision 0.12 and before; `0.13`):

```text
AttributeError: module 'torchvision.models' has no attribute 'ResNet18_Weights'
```

Message (torchvision 0.12 and before; `pretrained=True`):

```text
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    model = models.resnet50(weights="IMAGENET1K_V2")
  File "/env/lib/python3.8/site-packages/torchvision/models/resnet.py", line 331, in resnet50
    return _resnet("resnet50", Bottleneck, [3, 4, 6, 3], pretrained, progress, **kwargs)
  File "/env/lib/python3.8/site-packages/torchvision/models/resnet.py", line 296, in _resnet
    model = ResNet(block, layers, **kwargs)
TypeError: __init__() got an unexpected keyword argument 'weights'
```

Message (torchvision 0.16 and later; `value_range`):

```text
TypeError: make_grid() got an unexpected keyword argument 'range'
```

Message (Lightning 2; `devices=...`):

```text
TypeError: Trainer.__init__() got an unexpected keyword argument 'gpus'
```

Message (Lightning 2 under Python 3.9; `devices=...`):

```text
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    trainer = pl.Trainer(gpus=1, max_epochs=3)
  File "/env/lib/python3.9/site-packages/pytorch_lightning/utilities/argparse.py", line 69, in insert_env_defaults
    return fn(self, **kwargs)
TypeError: __init__() got an unexpected keyword argument 'gpus'
```

Message (Lightning 2; `on_train_epoch_end`):

```text
NotImplementedError: Support for `training_epoch_end` has been removed in v2.0.0. `Net` implements this method. You can use the `on_train_epoch_end` hook instead. To access outputs, save them in-memory as instance attributes. You can find migration examples in https://github.com/Lightning-AI/lightning/pull/16520.
```

Message (Lightning 1.4 and later; `pytorch-lightning<1.4`):

```text
  File "/home/bob/train.py", line 167, in on_train_epoch_start
    self.trainer.accelerator_backend.setup_optimizers(self.trainer)
AttributeError: 'Trainer' object has no attribute 'accelerator_backend'
```

Message (Lightning 2, of the class; `LightningCLI`):

```text
AttributeError: type object 'Trainer' has no attribute 'add_argparse_args'
```

Message (Lightning 1.8 and later; `trainer.lr_scheduler_configs`):

```text
AttributeError: 'Trainer' object has no attribute 'lr_schedulers'
```

Message (Lightning 2 under Python 3.9, as pytest sums it up; `devices=...`):

```text
FAILED tests/test_trainer.py::test_trainer - TypeError: __init__() got an unexpected keyword argument 'gpus'
```

Message (torchtext 0.9 and later; `torchtext.legacy.data`):

```text
AttributeError: module 'torchtext.data' has no attribute 'Field'
```

Message (torchtext 0.10 and later; `vocab.get_stoi()`):

```text
  File "train.py", line 31, in <module>
    pad = SRC.vocab.stoi[SRC.pad_token]
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 1130, in __getattr__
    raise AttributeError("'{}' object has no attribute '{}'".format(
AttributeError: 'Vocab' object has no attribute 'stoi'
torchtext 0.12.0
```

Message (torchtext before 0.4; `0.4`):

```text
ValueError: Requested tokenizer basic_english, valid choices are a callable that takes a single string as input, "revtok" for the revtok reversible tokenizer, "subword" for the revtok caps-aware tokenizer, "spacy" for the SpaCy English tokenizer, or "moses" for the NLTK port of the Moses tokenization script.
```

Message (torch_sparse 0.4.1 and later; `spmm(index, value, m, n, matrix)`):

```text
TypeError: spmm() missing 1 required positional argument: 'matrix'
```

Message (peft 0.13 and before, asked for an adapter of a later one; `0.14`):

```text
TypeError: LoraConfig.__init__() got an unexpected keyword argument 'eva_config'
```

Message (peft 0.19 and later; `from 0.14 to before 0.19`):

```text
ImportError: cannot import name 'BoneConfig' from 'peft' (/env/lib/python3.11/site-packages/peft/__init__.py)
```

Message (mmcv 2.0 and later, code for mmcv 1; `mmengine.runner`):

```text
ModuleNotFoundError: No module named 'mmcv.runner'
```

Message (mmcv 2.0 and later; `mmcv-full<2.0`):

```text
ImportError: cannot import name 'Config' from 'mmcv' (/env/lib/python3.8/site-packages/mmcv/__init__.py)
```

Message (mmsegmentation 1.0 and later; `mmsegmentation<1.0`):

```text
ImportError: cannot import name 'init_segmentor' from 'mmseg.apis' (/env/lib/python3.8/site-packages/mmseg/apis/__init__.py)
```

Message (nerfacc 0.5; `nerfacc<0.5`):

```text
AttributeError: module 'nerfacc' has no attribute 'ContractionType'
```

Message (spconv 2, code for spconv 1; `spconv.pytorch`):

```text
AttributeError: module 'spconv' has no attribute 'SparseModule'
```

Message (spconv 2; `Point2VoxelCPU3d`):

```text
ImportError: cannot import name 'VoxelGeneratorV2' from 'spconv.utils' (/env/lib/python3.8/site-packages/spconv/utils/__init__.py)
```

Message (spconv 1, code for spconv 2; `spconv 1 is installed`):

```text
ModuleNotFoundError: No module named 'spconv.pytorch'
```

Message (ultralytics 8.1 and later; `8.1`):

```text
ModuleNotFoundError: No module named 'ultralytics.yolo'
```

Message (YOLOv5 6.2 and later; `device=`):

```text
TypeError: attempt_load() got an unexpected keyword argument 'map_location'
```

Message (YOLOv5 before 6.2, and YOLOv7; `map_location=`):

```text
TypeError: attempt_load() got an unexpected keyword argument 'device'
```

Message (grad-cam 1.5 and later; `without use_cuda`):

```text
TypeError: GradCAM.__init__() got an unexpected keyword argument 'use_cuda'
```

Message (grad-cam 1.3.2 and later; `target_layers=[layer]`):

```text
TypeError: GradCAM.__init__() got an unexpected keyword argument 'target_layer'
```

Message (Megatron-LM of 2023 with a Transformer Engine of before; `Transformer Engine`):

```text
AttributeError: 'InferenceParams' object has no attribute 'max_sequence_len'
```

Message (detectron2 0.3 and later; `since 0.3`):

```text
  File "train_net.py", line 251, in run_step
    self._detect_anomaly(losses, loss_dict)
AttributeError: 'Trainer' object has no attribute '_detect_anomaly'
```

Message (transformers 4.33, asked by a newer diffusers; `4.34`):

```text
TypeError: PeftAdapterMixin.load_adapter() got an unexpected keyword argument 'adapter_state_dict'
```

Message (torchpack 0.3; `torchpack<0.3`):

```text
ModuleNotFoundError: No module named 'torchpack.runner'
```

Message (MONAI 1.2 and later; `SaveImage`):

```text
ModuleNotFoundError: No module named 'monai.data.nifti_saver'
```

Message (DGL 1.0 and later; `copy_u`):

```text
AttributeError: module 'dgl.function' has no attribute 'copy_src'
```

Message (PyTorch Geometric 1.5 and later; `torch_scatter.scatter`):

```text
ImportError: cannot import name 'scatter_' from 'torch_geometric.utils' (/env/lib/python3.8/site-packages/torch_geometric/utils/__init__.py)
```

Message (MONAI 1.3 and later; `image_only=False`):

```text
  File "/home/bob/train.py", line 85, in <listcomp>
    return [item[key] for item in batch]
KeyError: 'image_meta_dict'
```
"""

import re

from keng.explain.advice.shown import asker, spoken_of
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import libraries

pitfall = Pitfall(
    __name__, __doc__, severity="error", needs="import huggingface_hub, pytorch_lightning"
)

LIBRARY = rf"(?:lightning|{'|'.join(libraries.LIBRARIES)})"
UNPICKLES = "pickle.load("
USERS = re.compile(r"(?!.*(?:-packages|[/\\]src)[/\\]).*[/\\]")

pitfall.answers(libraries.RENAMED, odds=0.9)


@pitfall.explains(
    rf"cannot import name '(?P<what>\w{{1,80}})' from '(?P<module>{LIBRARY}(?:\.[\w.]{{1,200}})?)'(?: \((?P<file>[^)]{{1,300}})\))?",
    rf"No module named '(?P<module>{LIBRARY}\.[\w.]{{1,200}})'",
    rf"\bmodule '?(?P<module>{LIBRARY}(?:\.[\w.]{{1,200}})?)'? has no attribute '?(?P<what>\w{{1,80}})",
    odds=0.96,
)
def name_of_another_version(failure: Failure) -> Hits:
    module, what = failure.groups["module"], failure.groups.get("what", "")
    if not what and UNPICKLES in failure.line:
        return  # class-not-found-at-load tells whose file asks for it
    change, mixed = libraries.of_name(module, what), what and failure.asks_within(module)
    if change is not None and not mixed and USERS.match(failure.groups.get("file", "")) is None:
        what = f"`{change.place}.{change.name}`"
        yield failure.hit(change.told(what, asker(failure, change.word)))
    elif mixed:
        yield failure.hit(
            f"the installed {module.partition('.')[0]} asks its own `{module}` for `{what}`, which is not there: two versions are mixed; restart a notebook's kernel, else uninstall it until none is left, then install"
        )


@pitfall.explains(
    r"\b(?P<function>(?:\w{1,60}\.)?\w{1,60})\(\) got an unexpected keyword argument '(?P<name>\w{1,60})'",
    r"'(?P<owner>(?:SFT|DPO|PPO|GRPO|Seq2Seq)?Trainer|Accelerator|(?:Iterable)?Dataset(?:Dict)?|HfApi|HfFolder|InferenceClient|SentenceTransformer|"
    r"CrossEncoder|PeftModel(?:ForCausalLM)?|LoraModel|(?:Hetero)?Data|Batch|Vocab)'(?: object)? has no attribute '(?P<name>\w{1,60})'",
    odds=0.92,
)
def member_of_another_version(failure: Failure) -> Hits:
    owner, function, name = (failure.groups.get(key, "") for key in ("owner", "function", "name"))
    line = failure.line or failure.around
    owners = [f"{owner}."] if owner else libraries.owners(function, line)
    changes = libraries.of_member(owners, name) or libraries.well_known(function, name, line)
    shown = [change for change in changes if spoken_of(failure, change.word)]
    found = shown or [change for change in changes if change.tells and failure.code is None]
    if len({change.library for change in found}) == 1:
        what = f"`{found[0].name}` of {found[0].owner}"
        says = found[0].told(what, asker(failure, found[0].word))
        yield failure.hit(says, sure=bool(shown) or not failure.frames)


@pitfall.explains(r"got an unexpected keyword argument 'weights'", odds=0.93)
def weights_by_name(failure: Failure) -> Hits:
    if "torchvision/models/" in failure.raised_in:
        yield failure.hit(
            "the models of torchvision take `weights` since 0.13, and the one that is installed is older: pretrained=True, or pip install -U torchvision with its torch"
        )


@pitfall.explains(
    r"KeyError: '(?P<image>\w{1,40})_meta_dict'$|has no attribute '_detect_anomaly'", odds=0.93
)
def told_by_what_stands_beside(failure: Failure) -> Hits:
    image = failure.groups["image"]
    if image and (failure.shows("monai") or libraries.MONAIS.match(image)):
        yield failure.hit(
            f"MONAI puts no `{image}_meta_dict` beside an image since 1.3, as it is in the image: batch['{image}'].meta, or LoadImaged(..., image_only=False)"
        )
    elif not image and (failure.shows("loss_dict") or failure.shows("detectron2")):
        yield failure.hit(libraries.DETECTRON2)


@pitfall.explains(
    r"Support for `(?P<what>\w{1,60})` has been removed in v(?P<gone>\d[\d.]{0,9}\d)\. `(?P<who>\w{1,80})` implements this \w{1,20}\. "
    r"You can use the `(?P<to>\w{1,60})`",
    odds=0.97,
)
def hook_that_went(failure: Failure) -> Hits:
    what, gone, who, to = (failure.groups[key] for key in ("what", "gone", "who", "to"))
    yield failure.hit(
        f"Lightning {gone} does not call `{what}` of `{who}` any more: `{to}`, with what the steps give kept in a list of the module's own"
    )
