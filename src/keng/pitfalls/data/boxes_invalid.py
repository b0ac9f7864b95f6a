r"""A bounding box is empty, lies outside of its image, or comes in another form than a detector takes.

The detectors of torchvision take for each image a float tensor of shape (N, 4), `[x1, y1, x2, y2]` in pixels with x2 > x1 and y2 > y1, and
class numbers from 1 on. Boxes as COCO writes them hold width and height instead; those of YOLO hold the centre, divided by the size of the image.
An image without objects has boxes of shape (0, 4), not (0,). Rounding, cropping and augmentation make boxes of no width.

Cure: `torchvision.ops.box_convert(boxes, "xywh", "xyxy")`, `boxes.reshape(-1, 4)`, `clip_boxes_to_image`, and
`remove_small_boxes` for what is left of a crop.

Bad:

```python
import torch
from torchvision.models.detection import fasterrcnn_resnet50_fpn

model = fasterrcnn_resnet50_fpn(weights=None)
target = {"boxes": torch.tensor([[10.0, 20.0, 10.0, 40.0]]), "labels": torch.tensor([1])}
losses = model([torch.rand(3, 64, 64)], [target])
```

Good:

```python
import torch
from torchvision.models.detection import fasterrcnn_resnet50_fpn

model = fasterrcnn_resnet50_fpn(weights=None)
target = {"boxes": torch.tensor([[10.0, 20.0, 30.0, 40.0]]), "labels": torch.tensor([1])}
losses = model([torch.rand(3, 64, 64)], [target])
```

Message (torchvision 0.15 and 0.29; `10.0, 20.0, 10.0, 40.0`):

```text
AssertionError: All bounding boxes should have positive height and width. Found invalid box [10.0, 20.0, 10.0, 40.0] for target at index 0.
```

Message (torchvision 0.15 and 0.29; `reshape(-1, 4)`):

```text
AssertionError: Expected target boxes to be a tensor of shape [N, 4], got torch.Size([0]).
```

Message (torchvision 0.15 and 0.29):

```text
AssertionError: Expected target boxes to be of type Tensor, got <class 'list'>.
```

Message (Albumentations; `cut it to the image`):

```text
ValueError: Expected x_max for bbox (0.9, 0.2, 1.01, 0.5, 1) to be in the range [0.0, 1.0], got 1.01.
```

Message (Albumentations; `leave empty boxes out`):

```text
ValueError: x_max is less than or equal to x_min for bbox (0.5, 0.2, 0.5, 0.5, 1).
```

Message (torchvision before 0.8; `500.7, 533.3, 231.1, 255.2`):

```text
ValueError: All bounding boxes should have positive height and width. Found invaid box [500.7, 533.3, 231.1, 255.2] for target at index 0.
```

Message (torchvision 0.14 and later; `torch.int32`):

```text
TypeError: target labels must of int64 type, instead got torch.int32
```

Message (torchvision 0.3 to 0.12; `boxes.float()`):

```text
AssertionError: target boxes must of float type
```

Message (Ultralytics 8; `1.2`):

```text
train: WARNING ⚠️ /data/images/a.jpg: ignoring corrupt image/label: non-normalized or out of bounds coordinates [        1.2]
```

Message (Ultralytics 8; `6 columns`):

```text
train: WARNING ⚠️ /data/images/a.jpg: ignoring corrupt image/label: labels require 5 columns, 6 columns detected
```

Message (Albumentations 1 and 2; `yolo`):

```text
ValueError: In YOLO format all coordinates must be float and in range (0, 1], got [[0.  0.5 0.1 0.1]]
```

Message (DETR and what came from it, an assert of its own; `negative size`):

```text
  File "/work/detr/util/box_ops.py", line 52, in generalized_box_iou
    assert (boxes2[:, 2:] >= boxes2[:, :2]).all()
AssertionError
```

Message (torchvision, and Mask R-CNN Benchmark without the last two words; `no box left`):

```text
ValueError: No ground-truth boxes available for one of the images during training
```

Message (Albumentations, of corners taken for sizes; `two corners`):

```text
ValueError: Expected x_max for bbox (0.4, 0.2, 2.61, 0.5, 1) to be in the range [0.0, 1.0], got 2.61.
```
"""

from keng.explain.advice.images import box_mended
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchvision")


@pitfall.explains(
    r"All bounding boxes should have positive height and width\. Found inval?id box \[(?P<box>[-\d., einfa]{3,120})\] for target at "
    r"index (?P<index>\d+)",
    odds=0.97,
)
def empty_box(failure: Failure) -> Hits:
    box, index = failure.groups["box"], failure.groups["index"]
    cure = "[x1, y1, x2, y2] with x2 > x1 and y2 > y1; box_convert for width and height, remove_small_boxes for what is empty"
    yield failure.hit(f"target {index} has the box [{box}]: {cure}")


@pitfall.explains(
    r"Expected target boxes to be (?:a tensor ?of shape \[N, 4\]|of type Tensor), got (?P<came>torch\.Size\(\[[\d, ]*\]\)|<class '[\w.]+'>)",
    odds=0.97,
)
def boxes_of_another_shape(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("torch.Size(").removesuffix(")")
    yield failure.hit(
        f"boxes are a float tensor of shape (N, 4), and these are {came}: torch.as_tensor(boxes).reshape(-1, 4), which holds "
        "for an image without objects too"
    )


@pitfall.explains(
    r"Expected (?P<side>[xy]_(?:min|max)) for bbox \(?\[?(?P<box>[-\w., ()]{3,200}?)[\])]* to be in the range \[0\.0, 1\.0\], got "
    r"(?:np\.float\d+\()?(?P<value>-?[\d.e-]+\d)",
    r"(?P<side>[xy]_max) is less than or equal to [xy]_min for bbox \(?\[?(?P<box>[-\w., ()]{3,200}?)[\])]*\.?$",
    odds=0.96,
)
def outside_of_the_image(failure: Failure) -> Hits:
    side, value = failure.groups["side"], failure.groups.get("value")
    says = (
        f"{side} is {value}, outside of the image"
        if value
        else f"{side} is not above the other side"
    )
    yield failure.hit(f"{says}, in the box {failure.groups['box']}: {box_mended(value)}")


@pitfall.explains(
    r"target (?P<what>labels|boxes|keypoints) must of (?:int64|float) type(?:, instead got (?P<came>torch\.\w+))?",
    odds=0.96,
)
def of_another_dtype(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"] or "of another type"
    cure = f"{what}.long()" if what == "labels" else f"{what}.float()"
    yield failure.hit(
        f"the {what} of a target are {came}: {cure}, as labels are int64 and the rest floats"
    )


@pitfall.explains(
    r"ignoring corrupt image/label: non-normalized or out of bounds coordinates \[ {0,12}(?P<values>[-\d., e+]{1,200})",
    odds=0.95,
)
def pixels_for_shares(failure: Failure) -> Hits:
    yield failure.hit(
        f"a label file holds {failure.groups['values'].strip()} where shares of the image from 0 to 1 are taken, and its image is left out: class x_center y_center width height, "
        "divided by the image's width and height"
    )


@pitfall.explains(
    r"labels require (?P<wanted>\d+) columns(?: each)?(?:, (?P<came>\d+) columns detected)?",
    odds=0.95,
)
def labels_of_another_task(failure: Failure) -> Hits:
    wanted, came = failure.groups["wanted"], failure.groups["came"] or "others"
    yield failure.hit(
        f"the labels have {came} columns and this task takes {wanted}: 5 for boxes (class x y w h, without a confidence), 5 and the keypoints for poses"
    )


pitfall.answers(
    {
        "No ground-truth boxes available for one of the image": "an image of the batch has no box left, as where clipping, a crop or a filter of small ones took them: leave such images out; "
        "boxes are [x1, y1, x2, y2] inside the image, x2 > x1",
        "boxes2[:, 2:] >= boxes2[:, :2]": "a target of this batch has a box of negative size: [x1, y1, x2, y2] in the annotations where DETR takes COCO's [x, y, w, h], or boxes that are empty or NaN",
        "In YOLO format all coordinates must be float": "yolo is centre, width and height as shares of the image, above 0 to 1: format='coco' or 'pascal_voc' for pixels, and no empty boxes",
    },
    odds=0.96,
)
