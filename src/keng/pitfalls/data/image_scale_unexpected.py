r"""An image of 0 to 255 is normalized as if it were of 0 to 1.

`ToTensor` of torchvision divides bytes by 255 and leaves floats as they are. Its successor in two steps,
`v2.ToImage()` and `v2.ToDtype(torch.float32)`, converts without dividing unless it is told `scale=True`. A mean of
0.485 taken from values up to 255 leaves inputs in the hundreds: training starts badly, and a pretrained model
sees white.

Cure: `v2.ToDtype(torch.float32, scale=True)` before `v2.Normalize`; the same transforms in training and
inference.

Bad:

```python
import torch
from PIL import Image
from torchvision.transforms import v2

transform = v2.Compose(
    [
        v2.Resize(4),
        v2.ToImage(),
        v2.ToDtype(torch.float32),  # here: still 0 to 255
        v2.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]),
    ]
)
x = transform(Image.new("RGB", (8, 8), "white"))
```

Proof:

```python
assert x.max() > 1000
```

Bad (an image of OpenCV, made into floats and no more):

```python
import cv2
import torch
from torchvision import transforms

normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def load(path):
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    x = torch.from_numpy(image.transpose(2, 0, 1)).float()
    return normalize(x)  # here: 0 to 255
```

Good:

```python
import torch
from PIL import Image
from torchvision.transforms import v2

transform = v2.Compose(
    [
        v2.Resize(4),
        v2.ToImage(),
        v2.ToDtype(torch.float32, scale=True),
        v2.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]),
    ]
)
x = transform(Image.new("RGB", (8, 8), "white"))
```

Fine (a mean for bytes, divided before, by hand, or later, floats that come in, no floats at all):

```python
import torch
from torchvision.transforms import v2

mean, std = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
bytes_ = v2.Compose(
    [
        v2.PILToTensor(),
        v2.ToDtype(torch.float32),
        v2.Normalize([123.7, 116.3, 103.5], [58.4, 57.1, 57.4]),
    ]
)
divided = v2.Compose(
    [
        v2.ToImage(),
        v2.ConvertImageDtype(torch.float32),
        v2.ToDtype(torch.float32),
        v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
    ]
)
by_hand = [
    v2.ToImage(),
    v2.ToDtype(torch.float32),
    lambda x: x / 255,
    v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
]
floats = [
    v2.ToDtype(torch.float32),
    v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
]
after = [
    v2.ToImage(),
    v2.ToDtype(torch.uint8),
    v2.ToDtype(torch.float32, scale=True),
    v2.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
]
whole = [v2.ToImage(), v2.ToDtype(torch.uint8), v2.Normalize([0.5], [0.5])]
```
Fine (divided on the way, in the array or in the tensor):

```python
import cv2
import numpy as np
import torch
from torchvision import transforms

normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def load(path):
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    scaled = image.astype(np.float32) / 255
    one = normalize(torch.from_numpy(scaled.transpose(2, 0, 1)))
    other = normalize(torch.from_numpy(image.transpose(2, 0, 1)).float().div(255))
    x = torch.from_numpy(image.transpose(2, 0, 1)).float()
    x = x / 255
    return one, other, normalize(x)
```

Message (transformers 4 and 5; `do_rescale=False`):

```text
It looks like you are trying to rescale already rescaled images. If the input images have pixel values between 0 and 1, set `do_rescale=False` to avoid rescaling them again.
```

Message (transformers 4 and 5; `as it was read`):

```text
ValueError: The image to be converted to a PIL image contains values outside the range [0, 1], got [-2.1179039301310043, 2.6400000000000006] which cannot be converted to uint8.
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import BatchValues
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchvision")


@pitfall.finds(fixes=True)
def normalized_without_scale(code: Code) -> Hits:
    for normalize in code.calls_to("torchvision.transforms.v2.Normalize"):
        kept = code.unscaled_before(normalize)
        if kept is None or not code.below_one(code.argument(normalize, "mean", position=0)):
            continue
        fix = code.add_argument(kept, "scale=True", "Divide by 255 on the way to floats")
        says = f"`{code.text_of(kept)}` keeps 0 to 255, and the mean on line {normalize.lineno} is for 0 to 1"
        yield code.hit(kept, says, fix=fix)


@pitfall.finds
def normalized_as_read(code: Code) -> Hits:
    for call, image, normalize, more in code.normalized():
        if more or not code.for_rgb(normalize) or not code.read_by_opencv(image):
            continue
        if not code.is_divided(image):
            text = code.text_of(image)
            says = f"`{text}` is of 0 to 255, as OpenCV reads it, and the mean is for 0 to 1"
            yield code.hit(call, says)


@pitfall.watches("batch.values")
def far_outside_what_is_normal(seen: BatchValues) -> Hits:
    # Of 0 to 1, normalization leaves -3 to 3; of 0 to 255 up to a thousand, and black as before.
    if seen.image and -3 < seen.lowest < 0 and 300 < seen.highest < 3000:
        says = f"images run from {seen.lowest:.3g} to {seen.highest:.4g}"
        yield seen.hit(f"{says}: normalized with a mean for 0 to 1 while they are of 0 to 255")


TWICE = "images of 0 to 1 are divided by 255 once more, and nearly black: do_rescale=False, or images of 0 to 255"
NORMALIZED = "an image is normalized before a processor that resizes it by Pillow: give it as it was read, and let the processor normalize"
pitfall.answers(
    {
        "you are trying to rescale already rescaled images": TWICE,
        "to be converted to a PIL image contains values outside the range": NORMALIZED,
    },
    odds=0.95,
)
