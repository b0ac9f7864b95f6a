r"""Samples of one batch differ in size.

The DataLoader stacks the samples of a batch into one tensor, for which all must have the same shape. One
grey image among colour ones, an alpha channel, images of several sizes, or a list of boxes whose length
differs from sample to sample breaks that, mostly in the middle of an epoch, when such a sample comes up.
A worker process, which stacks into shared memory, may only say that a storage cannot be resized.

Cure: convert and resize in the dataset, so that every sample has one shape; where lengths differ by
nature, give the DataLoader a `collate_fn` that pads.

Bad (a grey image among colour images):

```python
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 4, 4), torch.zeros(1, 4, 4)]
loader = DataLoader(images, batch_size=2)
for batch in loader:  # seen: 3 channels and 1 channel
    print(batch.shape)
```

Bad (an alpha channel, met in a worker):

```python
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(4, 8, 8), torch.zeros(3, 8, 8)]
loader = DataLoader(images, batch_size=2, num_workers=1)
for batch in loader:  # seen: 4 channels and 3 channels
    print(batch.shape)
```

Bad (a small image first, met in a worker):

```python
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 6, 8), torch.zeros(3, 8, 8)]
loader = DataLoader(images, batch_size=2, num_workers=1)
for batch in loader:  # seen: 6 x 8 and 8 x 8
    print(batch.shape)
```

Bad (images of several sizes):

```python
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 8, 8), torch.zeros(3, 8, 6)]
loader = DataLoader(images, batch_size=2)
batch = next(iter(loader))  # seen: 8 x 8 and 8 x 6
```

Bad (sequences):

```python
import torch
from torch.utils.data import DataLoader

sentences = [torch.arange(5), torch.arange(7)]
batch = next(iter(DataLoader(sentences, batch_size=2)))  # seen: 5 and 7 words
```

Bad (windows that run past the end):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series)

    def __getitem__(self, index):
        return self.series[index : index + self.width]


loader = DataLoader(Windows(torch.randn(23), 10), batch_size=16)
for window in loader:  # seen: `len(self.series) - self.width + 1`
    print(window.shape)
```

Bad (lists):

```python
from torch.utils.data import DataLoader

boxes = [[0, 0, 4, 4], [0, 0, 4, 4, 1, 1, 5, 5]]
batch = next(iter(DataLoader(boxes, batch_size=2)))  # seen: one box and two
```

Bad (arrays, in a collate_fn of one's own):

```python
import numpy as np
from torch.utils.data import DataLoader


def collate(samples):
    return np.stack(samples)  # seen: `the collate_fn joins them`


images = [np.zeros((3, 8, 8)), np.zeros((3, 8, 6))]
batch = next(iter(DataLoader(images, batch_size=2, collate_fn=collate)))
```

Bad (no loader, stacked by hand):

```python
import torch

frames = [torch.zeros(3, 8, 8), torch.zeros(3, 8, 6)]
clip = torch.stack(frames)  # seen: 8 x 8 and 8 x 6
```

Good:

```python
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def padded(samples):
    lengths = torch.tensor([len(sample) for sample in samples])
    return pad_sequence(samples, batch_first=True), lengths


images = [torch.zeros(3, 4, 4), torch.zeros(1, 4, 4).expand(3, -1, -1)]
batch = next(iter(DataLoader(images, batch_size=2)))
sentences = [torch.arange(5), torch.arange(7)]
words, lengths = next(iter(DataLoader(sentences, batch_size=2, collate_fn=padded)))
```

Message (torch 1.0):

```text
RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 0. Got 1 and 3 in dimension 1 at /pytorch/aten/src/TH/generic/THTensor.cpp:711
```

Message (torch 2.13; `an ensemble`):

```text
  File "train.py", line 7, in <module>
    parameters, buffers = torch.func.stack_module_state(models)
  File "/env/lib/python3.11/site-packages/torch/_functorch/functional_call.py", line 240, in <dictcomp>
    k: construct_stacked_leaf(tuple(params[k] for params in all_params), k)
RuntimeError: stack expects each tensor to be equal size, but got [2, 2] at entry 0 and [3, 2] at entry 1
```

Message (torch 2.13, of boxes; `keep them in a list`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [1, 5] at entry 0 and [2, 5] at entry 1
```

Message (torch 2.13, of a grey image among coloured ones; `a grey image came without`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [3, 224, 224] at entry 0 and [224, 224] at entry 29
```

Message (torch 2.13, of a number among vectors; `a dimension more`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [] at entry 0 and [3] at entry 1
```

Message (torch 2.13, of sounds; `length - x.size(-1)`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [1, 16000] at entry 0 and [1, 15000] at entry 1
```

Message (torch 2.13, of spectrograms or lines of text; `resize, crop or pad them to one length`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [1, 80, 300] at entry 0 and [1, 80, 280] at entry 1
```

Message (torch 2.13, of videos; `one number of frames`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [3, 61, 864, 1152] at entry 0 and [3, 60, 864, 1152] at entry 1
```

Message (torch 2.13, of videos of other sizes; `resize or crop`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [3, 1, 224, 224] at entry 0 and [3, 1, 144, 192] at entry 6
```

Message (torchtuples; `the collate_fn joins them`):

```text
Traceback (most recent call last):
  File "/env/lib/python3.9/site-packages/torch/utils/data/_utils/fetch.py", line 52, in fetch
    return self.collate_fn(data)
  File "/work/train.py", line 42, in collate_fn
    return tt.tuplefy(batch).stack()
  File "/env/lib/python3.9/site-packages/torchtuples/tupletree.py", line 251, in stack
    raise ValueError("Shapes of merged arrays need to be the same")
ValueError: Shapes of merged arrays need to be the same
```

Message (NumPy, in a collate_fn of one's own; `the collate_fn joins them`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 42, in collate_fn
    mask = np.concatenate(masks)
ValueError: all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 8 and the array at index 1 has size 6
```

Message (torch 2.13, of matrices; `crop or pad them`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [40, 12] at entry 0 and [36, 10] at entry 6
```

Message (torch 1.0 to 1.4, of texts; `pad them in a collate_fn`):

```text
RuntimeError: Sizes of tensors must match except in dimension 0. Got 36 and 47 in dimension 1 at /pytorch/aten/src/TH/generic/THTensor.cpp:689
```

Message (torch 1.0 to 1.4, of images; `one size in the dataset`):

```text
RuntimeError: Sizes of tensors must match except in dimension 0. Got 224 and 256 in dimension 2 at /pytorch/aten/src/TH/generic/THTensor.cpp:689
```

Message (torch 2.13, of images whose shorter side alone was resized; `Resize((224, 224))`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [3, 224, 298] at entry 0 and [3, 224, 336] at entry 1
```

Message (torch 2.13, of sounds in stereo; `x.mean(0, keepdim=True)`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [2, 44100] at entry 0 and [1, 44100] at entry 1
```

Message (torch 2.13, of points; `one number of points`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [2, 2400, 3] at entry 0 and [2, 2332, 3] at entry 1
```

Message (torch 2.13, of a sound in stereo among others; `x.mean(-1)`):

```text
RuntimeError: stack expects each tensor to be equal size, but got [327680, 2] at entry 0 and [327680] at entry 6
```
"""

import re

from keng.explain.advice.fits import are_sequences
from keng.explain.advice.samples import (
    COLOURS,
    IMAGE_CHANNELS,
    JOINED,
    LISTS,
    PAD,
    RESIZE,
    made_alike,
)
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LoaderFailed

pitfall = Pitfall(__name__, __doc__, severity="error")

COLLATE = ("torch/utils/data/_utils/collate.py", "torch/utils/data/dataloader.py")


@pitfall.explains(
    r"stack expects each tensor to be equal size, but got \[(?P<one>[\d, ]*)\] at entry (?P<first>\d+) "
    r"and \[(?P<other>[\d, ]*)\] at entry (?P<second>\d+)",
    odds=0.95,
)
def shapes_of_two_samples(failure: Failure) -> Hits:
    groups = failure.groups
    one, other = (tuple(map(int, re.findall(r"\d+", groups[n]))) for n in ("one", "other"))
    cure = made_alike(one, other)
    if failure.passed_through("torch/_functorch/functional_call.py"):
        cure = "the models of an ensemble are of one size"
    inside = failure.passed_through(*COLLATE) or not failure.frames
    whose = "samples" if inside else "tensors"
    where = " of the batch" if inside else " of those stacked"
    told = failure.live.fetched.told if inside else ""
    padded = cure.startswith(PAD)
    longer = padded and not inside and one[1:] == other[1:] and are_sequences(failure)
    cure = cure.replace(" in a collate_fn,", ",") if longer else cure
    idle = failure.mended("collated") if padded and inside else None
    if idle is not None:
        cure = f"`{idle[0]}` is not given to the DataLoader"
    code = failure.code if padded and inside else None
    lengths = [wanted for _, _, wanted in code.items_past_the_end()] if code is not None else []
    if len(lengths) == 1 and lengths[0]:
        cure = f"the last samples run past the end: their number is `{lengths[0]}`"
    yield failure.hit(
        f"{whose} {groups['first']} and {groups['second']}{where} (counted from 0) have the shapes "
        f"{one} and {other}{told}: {cure}",
        idle[1] if idle else failure.mended("padded") if longer else None,
    )


@pitfall.explains(
    r"Sizes of tensors must match except in dimension 0\. Got (?P<one>\d+) and (?P<other>\d+) in dimension (?P<at>\d+)",
    odds=0.8,
)
def sizes_of_two_samples(failure: Failure) -> Hits:
    one, other, at = (int(failure.groups[name]) for name in ("one", "other", "at"))
    cure = PAD if at == 1 else RESIZE
    if at == 1 and {one, other} <= IMAGE_CHANNELS:
        cure = COLOURS
    yield failure.hit(
        f"two samples of the batch have {one} and {other} entries in their dimension {at - 1}: {cure}",
        sure=failure.passed_through(*COLLATE) or not failure.frames,
    )


@pitfall.explains(r"Trying to resize storage that is not resizable", odds=0.9)
def batch_of_a_worker(failure: Failure) -> Hits:
    told = failure.live.fetched.told
    says = f"samples of the batch{told} differ in shape, which this worker cannot say"
    cure = "with num_workers=0 the message holds the shapes"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*COLLATE))


@pitfall.explains(
    r"all input arrays must have the same shape|all the input array dimensions(?: except for the concatenation axis)? must match|"
    r"Shapes of merged arrays need to be the same",
    odds=0.93,
)
def arrays_in_a_collate_fn(failure: Failure) -> Hits:
    if any("collate" in f"{frame.function} {frame.text}" for frame in failure.frames):
        yield failure.hit(f"samples of the batch{failure.live.fetched.told} {JOINED}")


pitfall.answers({"each element in list of batch should be of equal size": LISTS}, odds=0.95)


@pitfall.watches("loader.failed")
def samples_that_do_not_fit(loader: LoaderFailed) -> Hits:
    shapes = {shape: index for index, shape in reversed(loader.samples)}
    if len(shapes) > 1:
        seen = [f"{index} has the shape {shape}" for shape, index in reversed(shapes.items())]
        yield loader.hit(f"samples of the dataset differ: {', '.join(seen[:3])}")
