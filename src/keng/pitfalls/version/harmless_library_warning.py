r"""A library beside PyTorch warns of something that changes no result.

Lightning, torchmetrics, PyTorch Geometric, torchvision, timm and Albumentations fill a log with hints: a loader could be faster, a folder holds
older files, a part is slower than another package's, a name has moved. What is computed is the same with and without.

Cure: nothing; what makes it faster or silent is named with each; `warnings.filterwarnings("ignore", message="...")` with its first words silences one alone.

Bad:

```python
import warnings

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def validation_step(self, batch, index):
        self.layer(batch)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


warnings.filterwarnings("error", message=".*shuffling enabled.*")
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), DataLoader(torch.ones(4, 2)), DataLoader(torch.ones(4, 2), shuffle=True))
```

Good:

```python
import warnings

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def validation_step(self, batch, index):
        self.layer(batch)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


warnings.filterwarnings("error", message=".*shuffling enabled.*")
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), DataLoader(torch.ones(4, 2)), DataLoader(torch.ones(4, 2)))
```

Message (Lightning 2; `num_workers`):

```text
/env/lib/python3.11/site-packages/lightning/pytorch/trainer/connectors/data_connector.py:434: The 'train_dataloader' does not have many workers which may be a bottleneck. Consider increasing the value of the `num_workers` argument` to `num_workers=7` in the `DataLoader` to improve performance.
```

Message (Lightning 1; `num_workers`):

```text
PossibleUserWarning: The dataloader, val_dataloader 0, does not have many workers which may be a bottleneck. Consider increasing the value of the `num_workers` argument` (try 12 which is the number of cpus on this machine) in the `DataLoader` init to improve performance.
```

Message (Lightning 2; `persistent_workers`):

```text
UserWarning: Consider setting `persistent_workers=True` in 'train_dataloader' to speed up the dataloader worker initialization.
```

Message (Lightning 1 and 2; `beside the older ones`):

```text
UserWarning: Checkpoint directory /work/checkpoints exists and is not empty.
```

Message (Lightning 2; `batch_size`):

```text
UserWarning: Trying to infer the `batch_size` from an ambiguous collection. The batch size we found is 12. To avoid any miscalculations, use `self.log(..., batch_size=batch_size)`.
```

Message (Lightning 2; `srun`):

```text
PossibleUserWarning: The `srun` command is available on your system but is not used. HINT: If your intention is to run Lightning on SLURM, prepend your python command with `srun` like so: srun python train.py ...
```

Message (Lightning 2; `float`):

```text
UserWarning: You called `self.log('n', ...)` in your `training_step` but the value needs to be floating to be reduced. Converting it to torch.float32. You can silence this warning by converting the value to floating point yourself. If you don't intend to reduce the value (for instance when logging the global step or epoch) then you can use `self.logger.log_metrics({'n': ...})` instead.
```

Message (torchmetrics; `reset()`):

```text
UserWarning: Metric `SpearmanCorrcoef` will save all targets and predictions in the buffer. For large datasets, this may lead to large memory footprint.
```

Message (torchmetrics 0.9 to 0.11; `full_state_update`):

```text
UserWarning: Torchmetrics v0.9 introduced a new argument class property called `full_state_update` that has not been set for this class (_ResultMetric).
```

Message (PyTorch Geometric 2; `torch-scatter`):

```text
UserWarning: The usage of `scatter(reduce='max')` can be accelerated via the 'torch-scatter' package, but it was not found
```

Message (PyTorch Geometric 2.8; `pyg-lib`):

```text
DeprecationWarning: 'torch-cluster' is no longer necessary and is being ignored. Its functionality has been migrated to 'pyg-lib>=0.6.0'.
```

Message (PyTorch Geometric 2.8; `pyg-lib`):

```text
UserWarning: Using 'NeighborSampler' without a 'pyg-lib' installation is deprecated and will be removed soon. Please install 'pyg-lib' for accelerated neighborhood sampling
```

Message (PyTorch Geometric 2; `torch_geometric.loader`):

```text
UserWarning: 'data.DataLoader' is deprecated, use 'loader.DataLoader' instead
```

Message (torchvision 0.15; `v2`):

```text
UserWarning: The torchvision.datapoints and torchvision.transforms.v2 namespaces are still Beta. While we do not expect major breaking changes, some APIs may still change according to user feedback.
```

Message (torchvision 0.22 and 0.23; `TorchCodec`):

```text
UserWarning: The video decoding and encoding capabilities of torchvision are deprecated from version 0.22 and will be removed in version 0.24.
```

Message (torchvision 0.16 and later; `ToImage`):

```text
UserWarning: The transform `ToTensor()` is deprecated and will be removed in a future release. Instead, please use `v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])`.
```

Message (timm 0.9 and 1; `timm.layers`):

```text
FutureWarning: Importing from timm.models.layers is deprecated, please import via timm.layers
```

Message (timm 0.9 and 1; `tiny_vit_5m_224`):

```text
UserWarning: Overwriting tiny_vit_5m_224 in registry with mobile_sam.modeling.tiny_vit_sam.tiny_vit_5m_224. This is because the name being registered conflicts with an existing name. Please check if this is not expected.
```

Message (timm 0.9 and 1; `newer name`):

```text
UserWarning: Mapping deprecated model name vit_base_resnet50_384 to current vit_base_r50_s16_384.orig_in21k_ft_in1k.
```

Message (Albumentations 1.4 and 2; `Affine`):

```text
UserWarning: ShiftScaleRotate is a special case of Affine transform. Please use Affine transform instead.
```

Message (StyleGAN2-ADA; `PyTorch's is taken`):

```text
UserWarning: conv2d_gradfix not supported on PyTorch 1.9.0. Falling back to torch.nn.functional.conv2d().
```

Message (Detectron2; `from 0`):

```text
WARNING [10/29 09:22:05 d2.data.datasets.coco]:
Category ids in annotations are not in [1, #categories]! We'll apply a mapping for you.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="import pytorch_lightning")

PYG_LIB = "PyTorch Geometric takes this from pyg-lib where it is installed: the result is the same"
MEANS = {
    "does not have many workers which may be a bottleneck": "the loader makes its batches in the main process or in one worker: right, and num_workers=4 or more is faster where a step waits for them",
    "Consider setting `persistent_workers=True`": "workers are started anew in each epoch: persistent_workers=True saves that time",
    "from an ambiguous collection. The batch size": "the mean over an epoch is weighed by a batch size that was guessed from the batch: self.log(..., batch_size=n); the training is the same",
    "The `srun` command is available on your system but": "Lightning sees SLURM, and was started without srun: right for a run on one node, srun python ... for several",
    "but the value needs to be floating": "a whole number is logged, and becomes a float for the mean: float(value) says the same without the warning",
    "sampler has shuffling enabled, it is strongly": "the order does not change a mean over all samples: shuffle=False for validation keeps examples comparable",
    "introduced a new argument class property called `full": "a metric of one's own does not tell whether update needs its state: right; full_state_update = False in the class is faster, where it does not",
    "can be accelerated via the 'torch-scatter'": "PyTorch's own scatter is used: right, and torch-scatter is faster on the card",
    "is no longer necessary and is being ignored. Its": PYG_LIB,
    "installation is deprecated and will be removed soon. Please install 'pyg": PYG_LIB,
    "'data.DataLoader' is deprecated, use": "the loader has moved, and is the same: from torch_geometric.loader import DataLoader",
    "transforms.v2 namespaces are still Beta": "the interface of v2 was still to change in 0.15: it works; torchvision.disable_beta_transforms_warning() before the import ends it",
    "video decoding and encoding capabilities of torchvision are dep": "videos are read as before: TorchCodec for what is written anew",
    "`ToTensor()` is deprecated and will be removed": "ToTensor of v2 does the same as ToImage and ToDtype(torch.float32, scale=True), which are the newer way",
    "Importing from timm.models.": "the names have moved, and are the same: timm.layers and timm.models, or an update of the library that imports them",
    "Mapping deprecated model name": "the model has a newer name, and is made under it",
    "Category ids in annotations are not in [1, #categories]": "the ids of the categories do not run from 1 to their number, and are counted anew from 0: right, as evaluation counts them back",
    "conv2d_gradfix not supported on PyTorch": "StyleGAN's own convolution is not for this torch, and PyTorch's is taken: the result is the same",
    "is a special case of Affine transform": "the transform does what it did: Affine for what is written anew",
}
pitfall.answers(MEANS, odds=0.85)


@pitfall.explains(
    r"Checkpoint directory (?P<folder>\S{1,300}) exists and is not empty\.$", odds=0.9
)
def older_files(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['folder']}` holds files already: new ones are written beside the older ones, as NAME-v1 where the name is taken"
    )


@pitfall.explains(
    r"Overwriting (?P<name>[\w.]{1,80}) in registry with (?P<home>[\w.]{1,160}\w)\. This is because the name",
    odds=0.9,
)
def registered_again(failure: Failure) -> Hits:
    name, home = failure.groups["name"], failure.groups["home"]
    yield failure.hit(
        f"timm.create_model('{name}') gives that of {home} from now on, which was registered last: right where that package is meant"
    )


@pitfall.explains(
    r"Metric `(?P<name>\w{1,60})` will save all (?:targets and predictions|predictions and targets|extracted features)",
    odds=0.9,
)
def kept_until_reset(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` cannot be counted batch by batch and keeps all of them: reset() after each epoch, and memory for one"
    )
