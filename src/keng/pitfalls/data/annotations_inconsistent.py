r"""The annotations of a detection data set contradict each other, or lack a part.

A file in COCO's form holds three lists: images, categories, and annotations, which name an image and a category by their ids. Tools that convert, join and split such
files leave ids twice, ids that nothing has, polygons of two points, categories that the config does not know. What reads the file then stops, or drops objects and
images with a line in the log, and trains on what is left. Label files of YOLO are mixed so too: boxes in some, outlines in others.

Cure: number the annotations anew, `for n, each in enumerate(data["annotations"], 1): each["id"] = n`; evaluate with the file that the images came from; the names of the
classes in the config as the file has them, `metainfo=dict(classes=("cat",))`; a polygon is a flat list of at least six numbers.

Bad:

```python
from pycocotools.coco import COCO

truth = COCO("instances_val.json")
found = truth.loadRes([{"image_id": "0001", "category_id": 1, "bbox": [0, 0, 9, 9], "score": 1.0}])
```

Good:

```python
import json

import torch

data = json.loads(
    '{"annotations": [{"id": 7, "bbox": [0, 0, 9, 9]}, {"id": 7, "bbox": [1, 1, 5, 5]}]}'
)
for number, each in enumerate(data["annotations"], 1):
    each["id"] = number
boxes = torch.tensor([each["bbox"] for each in data["annotations"]])
```

Message (Detectron2; `3677 objects`):

```text
Loaded 488 images in COCO format from /content/train_folder/test_result.json

Filtered out 3677 instances without valid segmentation. There might be issues in your dataset generation process.
```

Message (MMDetection 2):

```text
AssertionError: CocoDataset: Annotation ids are not unique!
```

Message (MMDetection 2 and 3, Detectron2; `instances_merge2017.json`):

```text
AssertionError: Annotation ids in 'data/coco/annotations/instances_merge2017.json' are not unique!
```

Message (pycocotools; `image_id`):

```text
  File "/env/lib/python3.8/site-packages/pycocotools/coco.py", line 327, in loadRes
    'Results do not correspond to current coco set'
AssertionError: Results do not correspond to current coco set
```

Message (YOLOv5, YOLOv9; `image_id`):

```text
pycocotools unable to run: Results do not correspond to current coco set
```

Message (Detectron2; `counts from 0`):

```text
KeyError: "Encountered category_id=5 but this id does not exist in 'categories' of the json file."
```

Message (Detectron2; `class 34`):

```text
AssertionError: A prediction has category_id=34, which is not available in the dataset.
```

Message (MMDetection 3; `CocoDataset`):

```text
ValueError: class `EpochBasedTrainLoop` in mmengine/runner/loops.py: class `CocoDataset` in mmdet/datasets/coco.py: need at least one array to concatenate
```

Message (MMDetection 2; `classes`):

```text
  File "/work/mmdetection/mmdet/datasets/samplers/group_sampler.py", line 36, in __iter__
    indices = np.concatenate(indices)
  File "<__array_function__ internals>", line 6, in concatenate
ValueError: need at least one array to concatenate
```

Message (Detectron2; `bitmask`):

```text
ValueError: Failed to use mask_format=='polygon' from the given annotations!
```

Message (pycocotools; `four numbers`):

```text
  File "pycocotools/_mask.pyx", line 293, in pycocotools._mask.frPyObjects
TypeError: Argument 'bb' has incorrect type (expected numpy.ndarray, got list)
```

Message (Ultralytics 8; `134 boxes and 130 outlines`):

```text
WARNING ⚠️ Box and segment counts should be equal, but got len(segments) = 130, len(boxes) = 134. To resolve this only boxes will be used and all segments will be removed. To avoid this please supply either a detect or segment dataset, not a detect-segment mixed dataset.
```

Message (YOLOv5 and Ultralytics 8; `-0.69141`):

```text
train: WARNING ⚠️ /data/images/a.jpg: ignoring corrupt image/label: negative label values [   -0.69141]
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pycocotools")


@pitfall.explains(r"Filtered out (?P<count>\d+) instances without valid segmentation", odds=0.95)
def polygons_dropped(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['count']} objects have no outline that can be read, and are left out: each polygon a flat list of an even number of at least 6 numbers, or RLE"
    )


@pitfall.explains(
    r"Annotation ids in '(?P<file>[^']{1,300})' are not unique",
    r"\b\w{1,40}Dataset: Annotation ids are not unique",
    odds=0.96,
)
def ids_twice(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "the annotation file"
    yield failure.hit(
        f"two annotations of {file} have the same id, as after joining files: number them anew, from 1"
    )


@pitfall.explains(r"Results do not correspond to current coco set", odds=0.95)
def results_of_other_images(failure: Failure) -> Hits:
    yield failure.hit(
        "a result names an image_id that the annotation file does not have: the file of these very images, and its ids, numbers and not file names"
    )


@pitfall.explains(
    r"Encountered category_id=(?P<named>\d+) but this id does not exist in 'categories'",
    r"A prediction has category_id=(?P<predicted>\d+), which is not available in the dataset",
    odds=0.96,
)
def no_such_category(failure: Failure) -> Hits:
    named, predicted = failure.groups.get("named"), failure.groups.get("predicted")
    if named:
        says = f"an annotation is of category {named}, which `categories` of the file does not list: one side counts from 0 and the other from 1, or it was taken out there"
    else:
        says = f"the model predicts class {predicted}, and the file has fewer categories: NUM_CLASSES as many as there are"
    yield failure.hit(says)


@pitfall.explains(
    r"(?:class `(?P<kind>\w{1,60})` in [\w/.]{1,200}: )?need at least one array to concatenate",
    odds=0.93,
)
def no_image_of_its_classes(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or "the dataset"
    if failure.groups["kind"] or any(
        "/mmdet/" in f.posix or "/mmengine/" in f.posix for f in failure.frames
    ):
        yield failure.hit(
            f"{kind} is left without images: none has an object of the config's classes, which are to be spelt as the file's categories (metainfo, or classes), (\"cat\",) for one"
        )


@pitfall.explains(
    r"Box and segment counts should be equal, but got len\(segments\) = (?P<outlines>\d+), len\(boxes\) = (?P<boxes>\d+)",
    odds=0.95,
)
def boxes_among_outlines(failure: Failure) -> Hits:
    outlines, boxes = failure.groups["outlines"], failure.groups["boxes"]
    yield failure.hit(
        f"{boxes} boxes and {outlines} outlines stand in the label files, and all outlines are dropped: one kind in every file"
    )


@pitfall.explains(
    r"ignoring corrupt image/label: negative label values \[ {0,12}(?P<values>[-\d., e+]{1,120})",
    odds=0.95,
)
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(
        f"a label file holds {failure.groups['values'].strip()}, and its image is left out: classes count from 0, and boxes are cut to the image"
    )


pitfall.answers(
    {
        "Failed to use mask_format=='polygon'": "an outline is no polygon of at least 6 numbers, or is RLE: cfg.INPUT.MASK_FORMAT = 'bitmask' takes both",
        "Argument 'bb' has incorrect type (expected numpy.ndarray, got list)": "a polygon of four numbers is taken for a box: at least three points, 6 numbers",
    },
    odds=0.95,
)
