r"""An image is laid out in another way than what shows or saves it takes.

A tensor of PyTorch has its channels first, (C, H, W), and often a batch before them, (N, C, H, W). Pillow, Matplotlib and OpenCV take
(H, W, C), and (H, W) for grey ones; Pillow wants bytes besides. Each of them refuses what has another number of channels where it looks
for them. An image processor of Transformers guesses the order by a dimension of 1 or 3, and its model counts the channels.

Cure: `Image.open(path).convert("RGB")` where images are read; `x[0]` for one of a batch; `x.permute(1, 2, 0)` for channels last, `x.squeeze(0)` for one channel; `(x * 255).byte()`
for Pillow; `add_images`, or `dataformats="HWC"`, for TensorBoard.

Bad (channels first, to Pillow):

```python
import torch
from PIL import Image

image = torch.zeros(3, 8, 8)
picture = Image.fromarray(image.numpy())  # seen: `permute(1, 2, 0)`
```

Bad (grey, with a channel):

```python
import torch
from PIL import Image

image = torch.zeros(8, 8, 1, dtype=torch.uint8)
picture = Image.fromarray(image.numpy())  # seen: `squeeze`
```

Good:

```python
import torch
from PIL import Image

image = torch.zeros(3, 8, 8)
picture = Image.fromarray((image * 255).byte().permute(1, 2, 0).numpy())
```

Message (Matplotlib; `permute(1, 2, 0)`):

```text
TypeError: Invalid shape (3, 32, 32) for image data
```

Message (Matplotlib; `squeeze`):

```text
TypeError: Invalid shape (1, 28, 28) for image data
```

Message (torchvision; `4 dimensions`):

```text
ValueError: pic should be 2/3 dimensional. Got 4 dimensions.
```

Message (torchvision; `512 channels`):

```text
ValueError: pic should not have > 4 channels. Got 512 channels.
```

Message (transformers 4.46 and 5.23; `1 channels`):

```text
ValueError: Make sure that the channel dimension of the pixel values match with the one set in the configuration. Expected 3 but got 1.
```

Message (transformers 4.46 and 5.23; `RGB`):

```text
ValueError: Unable to infer channel dimension format
```

Message (transformers 4.46 and 5.23; `1 channels`):

```text
ValueError: mean must have 1 elements if it is an iterable, got 3
```

Message (torch 2.13; `dataformats`):

```text
AssertionError: size of input tensor and input format are different. tensor shape: (4, 4), input_format: CHW
```

Message (transformers 4; `convert('RGB')`):

```text
ValueError: Unsupported number of image dimensions: 2
```

Message (transformers 5; `convert('RGB')`):

```text
ValueError: Could not make a flat list of images from [[1. 1. 1.]
 [1. 1. 1.]]
```

Message (transformers 4; `paths or None`):

```text
ValueError: Invalid image type. Must be of type PIL.Image.Image, numpy.ndarray, torch.Tensor, tf.Tensor or jax.ndarray.
```

Message (transformers 4 and 5; `input_data_format`):

```text
The channel dimension is ambiguous. Got image shape (1, 224, 3). Assuming channels are the first dimension.
```

Message (torchvision 0.9 and later; `4 channels`):

```text
TypeError: Input image tensor permitted channel values are [1, 3], but found 4
```

Message (transformers 4.40 to 5; `Image.open(path)`):

```text
ValueError: Invalid image type. Expected either PIL.Image.Image, numpy.ndarray, or torch.Tensor, but got <class 'str'>.
```

Message (transformers 4.30 to 5; `an absolute path`):

```text
ValueError: Incorrect image source. Must be a valid URL starting with `http://` or `https://`, a valid path to an image file, or a base64 encoded string. Got cat.jpg. Failed with Incorrect padding
```

Message (transformers 4.46 and 5.23; `permute(0, 3, 1, 2)`):

```text
ValueError: Make sure that the channel dimension of the pixel values match with the one set in the configuration. Expected 3 but got 224.
```

Message (transformers 4.46 and 5.23; `convert('L')`):

```text
ValueError: Make sure that the channel dimension of the pixel values match with the one set in the configuration. Expected 1 but got 3.
```

Message (Pillow, of whole numbers; `astype('uint8')`):

```text
TypeError: Cannot handle this data type: (1, 1, 3), <i8
```

Message (torchvision; `flattened`):

```text
ValueError: pic should be 2/3 dimensional. Got 1 dimensions.
```

Message (Matplotlib; `x[0].permute(1, 2, 0)`):

```text
TypeError: Invalid shape (8, 3, 32, 32) for image data
```

Message (Matplotlib; `x[0, 0]`):

```text
TypeError: Invalid shape (8, 1, 28, 28) for image data
```
"""

from keng.explain.advice.images import channels_taken, taken_by_pillow, turned_to_show
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Invalid shape \((?P<shape>[134], \d+, \d+|\d+, \d+, \d+, \d+|\d+, \d+, 1)\) for image data",
    odds=0.9,
)
def shown(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    sizes = tuple(int(size) for size in shape.split(", "))
    yield failure.hit(f"({shape}) is no (H, W, C): {turned_to_show(sizes)}")


@pitfall.explains(
    r"Cannot handle this data type: \(1, 1(?:, (?P<last>\d+))?\), (?P<dtype>[<>|]\w+)", odds=0.9
)
def made_a_picture(failure: Failure) -> Hits:
    last, dtype = failure.groups["last"], failure.groups["dtype"]
    wants = [
        *([taken_by_pillow(dtype)] if dtype != "|u1" else []),
        *(["one channel without its dimension, x.squeeze(-1)"] if last == "1" else []),
        *(["channels last, x.permute(1, 2, 0)"] if last not in ("1", "3", "4", "") else []),
    ]
    yield failure.hit(f"a picture of Pillow is made of {' and '.join(wants) or 'another dtype'}")


@pitfall.explains(
    r"pic should be 2/3 dimensional\. Got (?P<came>\d+ dimensions)",
    r"pic should not have > 4 channels\. Got (?P<came>\d+ channels)",
    odds=0.95,
)
def not_one_image(failure: Failure) -> Hits:
    came = failure.groups["came"]
    cure = "the channels come first in a tensor, last in an array"
    if "dimensions" in came:
        flat = "it is flattened, x.view(1, 28, 28) of one of MNIST"
        cure = flat if came.startswith("1 ") else "x[0] is one of a batch"
    yield failure.hit(f"one image is wanted, and {came} come: {cure}")


@pitfall.explains(
    r"size of input tensor and input format are different\.\s?tensor shape: (?P<shape>\([\d, ]+\)), "
    r"input_format: (?P<format>\w+)",
    odds=0.95,
)
def logged(failure: Failure) -> Hits:
    shape, layout = failure.groups["shape"], failure.groups["format"]
    yield failure.hit(
        f"an image of {shape} is logged as {layout}: dataformats= names its dimensions"
    )


@pitfall.explains(
    r"channel dimension of the pixel values match with the one set in the configuration\.(?: Expected (?P<wants>\d+) but got (?P<came>\d+))?",
    r"(?:mean|std) must have (?P<came>\d+) elements if it is an iterable, got (?P<wants>\d+)",
    r"Unable to infer channel dimension format",
    r"Input image tensor permitted channel values are \[(?P<wants>[\d, ]{1,12})\], but found (?P<came>\d+)",
    odds=0.95,
)
def other_channels(failure: Failure) -> Hits:
    wants, came = failure.groups.get("wants"), failure.groups.get("came")
    counts = f"an image has {came} channels where {wants} are taken"
    says = counts if wants and came else "an image has other channels than are taken"
    yield failure.hit(f"{says}: {channels_taken(wants, came)}")


pitfall.answers(
    {
        "Unsupported number of image dimensions": "a processor takes images of three dimensions: convert('RGB') for a gray one, or a list of images for a batch",
        "Could not make a flat list of images from": "a processor takes images of three dimensions: convert('RGB') for a gray one, or a list of images for a batch",
        "Incorrect image source. Must be a valid URL starting with": "the image is named by a text that is no file where the program runs: an absolute path, or Image.open(path)",
        "Invalid image type. Expected either PIL.Image.Image": "the processor is given something else than images, as paths or None: Image.open(path).convert('RGB')",
        "Invalid image type. Must be of type PIL.Image.Image": "the processor is given something else than images, as paths or None: Image.open(path).convert('RGB')",
        "The channel dimension is ambiguous. Got image shape": "sizes of 1 or 3 come first and last: input_data_format='channels_first' or 'channels_last' says which are the channels",
    },
    odds=0.95,
)
