r"""A batch for a detector is joined as if all its images were alike.

The detectors of torchvision take a list of images, which may differ in size, and a list of dicts, one for each image. The default collate function stacks the images and
makes one dict of all targets, over whose keys the detector then goes; where images hold different numbers of boxes it cannot stack at all. In eval mode they return a list of
predictions and no losses.

Cure: `DataLoader(..., collate_fn=lambda batch: tuple(zip(*batch)))`; `model(list(images), list(targets))`, with each target moved by itself; `model.train()` for losses.

Bad:

```python
from torch.utils.data import DataLoader
from torchvision.models.detection import fasterrcnn_resnet50_fpn

model = fasterrcnn_resnet50_fpn(weights=None)
for images, targets in DataLoader(dataset, batch_size=2):
    losses = model(images, targets)
```

Good:

```python
from torch.utils.data import DataLoader
from torchvision.models.detection import fasterrcnn_resnet50_fpn

model = fasterrcnn_resnet50_fpn(weights=None)
for images, targets in DataLoader(
    dataset, batch_size=2, collate_fn=lambda batch: tuple(zip(*batch))
):
    losses = model(list(images), list(targets))
```

Message (torchvision 0.8 and later; `collate_fn`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 60, in <module>
    losses = model(images, targets)
  File "/opt/conda/lib/python3.9/site-packages/torchvision/models/detection/generalized_rcnn.py", line 65, in forward
    boxes = target["boxes"]
TypeError: string indices must be integers
```

Message (torchvision 0.8 and later, of what a detector returns; `model.train()`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 61, in <module>
    total = sum(loss for loss in loss_dict.values())
AttributeError: 'list' object has no attribute 'values'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a dataset and torchvision")

LOSSES = re.compile(r"\b(?:loss|losses)\w{0,10}\.(?:values|items|keys)\(")


@pitfall.explains(r"string indices must be integers", odds=0.93)
def one_dict_of_all(failure: Failure) -> Hits:
    if any("torchvision/models/detection/" in f.posix for f in failure.frames):
        yield failure.hit(
            "the targets are one dict of the whole batch, and a detector takes a list of dicts: "
            "collate_fn=lambda batch: tuple(zip(*batch))"
        )


@pitfall.explains(r"'list' object has no attribute '(?:values|items|keys)'", odds=0.85)
def predictions_and_no_losses(failure: Failure) -> Hits:
    if LOSSES.search(failure.line):
        yield failure.hit(
            "a list came and no dict of losses, as a detector gives in eval mode: model.train() before"
        )
