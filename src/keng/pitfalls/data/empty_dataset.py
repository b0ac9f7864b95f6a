r"""A DataLoader is made over a dataset that is empty.

The sampler refuses a dataset of length 0 when it shuffles; without shuffling the loop just has no turns.
Mostly the folder is another than meant, the pattern of the files does not match (capital letters in
`.JPG`), a filter removed everything, or the working directory is not the one the path is relative to.

Cure: print `len(dataset)` and the absolute path where it is made, and fail there.

Bad:

```python
from pathlib import Path

from torch.utils.data import DataLoader

files = sorted(Path("no/such/folder").glob("*.png"))
loader = DataLoader(files, batch_size=4, shuffle=True)  # seen: `files is empty`
```

Bad (nothing to join):

```python
from torch.utils.data import ConcatDataset

data = ConcatDataset([])  # seen: `no datasets`
```

Good:

```python
from torch.utils.data import DataLoader, random_split

loader = DataLoader(list(range(8)), batch_size=4, shuffle=True)
parts = random_split(range(5), [3, 2])
```

Message (torch 0.3):

```text
RuntimeError: invalid argument 1: must be strictly positive at /pytorch/torch/lib/TH/generic/THTensorMath.c:2247
```

Message (an older torch):

```text
ValueError: num_samples should be a positive integeral value, but got num_samples=0
```

Message (YOLOv5 of 2022; `train.cache`):

```text
AssertionError: train: No labels found in /data/train.cache, can not start training.
```

Message (Lightning 1; `drop_last`):

```text
ValueError: `Dataloader` returned 0 length. Please make sure that it returns at least 1 batch
```

Message (fastai; `drop_last`):

```text
ValueError: This DataLoader does not contain any batches
```

Message (torch 2.0 to 2.13; `random_split`):

```text
UserWarning: Length of split at index 1 is 0. This might result in an empty dataset.
```

Message (Lightning 2; `smaller than a batch`):

```text
RuntimeError: `DataLoader` within local rank has zero length. Please make sure that it returns at least 1 batch.
```

Message (Ultralytics 8; `/content/datasets/valid/images`):

```text
RuntimeError: Dataset 'data.yaml' error ❌
Dataset 'data.yaml' images not found ⚠️, missing path '/content/datasets/valid/images'
```

Message (Detectron2; `annotations`):

```text
AssertionError: No valid data found in my_train.
```

Message (Ultralytics 8; `labels/train.cache`):

```text
RuntimeError: No valid images found in /data/labels/train.cache. Images with incorrectly formatted labels are ignored. See https://docs.ultralytics.com/datasets for dataset formatting guidance.
```

Message (Ultralytics 8; `images/train`):

```text
FileNotFoundError: train: Error loading data from /data/images/train
See https://docs.ultralytics.com/datasets for dataset formatting guidance.
```

Message (Lightning 2; `drop_last`):

```text
UserWarning: Total length of `DataLoader` across ranks is zero. Please make sure this was your intention.
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"invalid argument 1: must be strictly positive at \S{0,200}TH\w*\.cp?p?:\d+", odds=0.75
)
def nothing_to_shuffle(failure: Failure) -> Hits:
    yield failure.hit(
        "an order of no samples is drawn: the dataset is empty, see the path and the filter"
    )


@pitfall.explains(
    r"num_samples should be a positive inte\w{1,6} value, but got num_samples=0", odds=0.95
)
def nothing_to_draw_from(failure: Failure) -> Hits:
    yield failure.hit(
        f"{_given(failure.line)} is empty: see the path, the pattern and the filter it was made of"
    )


def _given(line: str) -> str:
    """What the failing line gives to its DataLoader, as far as it can be read."""
    try:
        calls = [node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return "the dataset"
    names = [call.args[0].id for call in calls if call.args and isinstance(call.args[0], ast.Name)]
    return f"`{names[0]}`" if names else "the dataset"


@pitfall.explains(
    r"No (?:labels(?: found)?|images found) in (?P<where>\S{1,300}?)[.,]? ",
    r"Total length of `DataLoader` across ranks is (?P<none>zero)",
    r"`Dataloader` returned 0 (?P<length>length)|within local rank has zero length",
    r"This (?P<loader>DataLoader) does not contain any batches",
    odds=0.88,
)
def no_batch(failure: Failure) -> Hits:
    where = failure.groups.get("where")
    cause = "the dataset is empty, or smaller than a batch that drop_last drops"
    if where:
        cause = f"nothing was found for {where}: images/ and labels/ have the same names; delete the .cache file"
    yield failure.hit(f"there is no batch to take: {cause}")


@pitfall.explains(
    r"Error loading data from (?P<path>\S{1,300})\sSee https://docs\.ultralytics",
    r"No valid images found in (?P<labels>\S{1,300}?)[.,] ",
    odds=0.9,
)
def nothing_taken(failure: Failure) -> Hits:
    labels = failure.groups.get("labels")
    says = f"no image was found at {failure.groups.get('path')}: `path:`, `train:` and `val:` in data.yaml, and files of .jpg, .png and their kin"
    if labels:
        says = f"every image of {labels} is left out for its labels: the lines `ignoring corrupt image/label` say why; delete that file once they are right"
    yield failure.hit(says)


pitfall.answers(
    {
        "datasets should not be an empty iterable": "there are no datasets to join: the list that they were collected in is empty",
        "This might result in an empty dataset": "a part of random_split gets no sample: the fraction is too small for so few",
    },
    odds=0.95,
)


@pitfall.explains(r"images not found.{0,6}, missing path '(?P<path>[^']{1,300})'", odds=0.95)
def not_at_that_path(failure: Failure) -> Hits:
    yield failure.hit(
        f"there are no images at {failure.groups['path']}: an absolute `path:` in data.yaml, since a relative one is below datasets_dir of the settings"
    )


@pitfall.explains(r"No valid data found in (?P<name>[\w.-]{1,80})\.$", odds=0.95)
def nothing_annotated(failure: Failure) -> Hits:
    if failure.kind == "AssertionError":  # Detectron2's
        yield failure.hit(
            "no image is left with annotations: the ids of images and categories in the file, and images without boxes are left out"
        )
