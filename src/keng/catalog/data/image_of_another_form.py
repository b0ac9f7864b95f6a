r"""An image has other channels, another order or another kind than the step takes.

A grey image has one channel or none, a PNG may have four; PIL and OpenCV put the channels last, PyTorch first; one wants whole numbers from 0 to 255, the other
floats. An image processor of Transformers guesses the order by a dimension of 1 or 3, Pillow makes images of uint8 arrays alone.

Cure: `Image.open(path).convert("RGB")` where images are read; `(x * 255).astype("uint8")` before `Image.fromarray`; `permute(2, 0, 1)` for channels that
come last; one mean for each channel.

Bad:

```python
import numpy as np
from PIL import Image

picture = Image.fromarray(np.zeros((8, 8, 3), dtype="float32"))
```

Good:

```python
import numpy as np
from PIL import Image

picture = Image.fromarray((np.zeros((8, 8, 3), dtype="float32") * 255).astype("uint8"))
```

Message (transformers; `1 channels`):

```text
ValueError: Make sure that the channel dimension of the pixel values match with the one set in the configuration. Expected 3 but got 1.
```

Message (transformers):

```text
ValueError: Unable to infer channel dimension format
```

Message (transformers; `RGB`):

```text
ValueError: mean must have 1 elements if it is an iterable, got 3
```

Message (torchvision; `4 dimensions`):

```text
ValueError: pic should be 2/3 dimensional. Got 4 dimensions.
```

Message (Pillow; `<f4`):

```text
TypeError: Cannot handle this data type: (1, 1, 3), <f4
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Pillow")


pitfall.says(r"Unable to infer channel dimension format", odds=0.95)


@pitfall.explains(
    r"channel dimension of the pixel values match with the one set in the configuration\.(?: Expected (?P<wants>\d+) but got (?P<came>\d+))?",
    r"(?:mean|std) must have (?P<came>\d+) elements if it is an iterable, got (?P<wants>\d+)",
    odds=0.95,
)
def other_channels(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"] or "other", failure.groups["came"] or "another number of"
    yield failure.hit(
        f"an image has {came} channels where {wants} are taken: convert('RGB') where it is read, channels first"
    )


@pitfall.explains(r"pic should be 2/3 dimensional\. Got (?P<n>\d+) dimensions", odds=0.96)
def batch_as_an_image(failure: Failure) -> Hits:
    yield failure.hit(
        f"ToPILImage takes one image, and gets {failure.groups['n']} dimensions: one of the batch, x[0]"
    )


@pitfall.explains(
    r"Cannot handle this data type(?:: (?P<shape>\([\d, ]+\)), (?P<dtype>\S{1,8}))?", odds=0.9
)
def array_for_pillow(failure: Failure) -> Hits:
    shape, dtype = failure.groups["shape"], failure.groups["dtype"]
    came = f" of {dtype}, {shape}" if shape else ""
    yield failure.hit(
        f"Pillow makes no image of an array{came}: uint8, (H, W, 3) or (H, W); x.permute(1, 2, 0) and x * 255 first"
    )
