r"""An image that OpenCV has read is taken for RGB.

`cv2.imread` and `cv2.imdecode` give the channels as blue, green, red; Pillow, torchvision and matplotlib take them
as red, green, blue. Nothing fails: faces turn blue, and a model that was trained on one order sees the other.

Cure: `cv2.cvtColor(image, cv2.COLOR_BGR2RGB)` right after reading; and one decoder for training and inference,
since decoders differ a little in the values of a JPEG too.

Bad:

```python
import cv2
import numpy as np
import torch
from PIL import Image

cv2.imwrite("red.png", np.full((4, 4, 3), (0, 0, 255), dtype=np.uint8))
image = cv2.imread("red.png")
image = cv2.resize(image, (2, 2))
picture = Image.fromarray(image)  # here: blue, green, red taken for red, green, blue
x = torch.from_numpy(np.array(picture))
```

Proof:

```python
assert x[0, 0].tolist() == [0, 0, 255]
```

Bad (normalized as the images of ImageNet are):

```python
import cv2
import torch
from torch.utils.data import Dataset
from torchvision import transforms


class Faces(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.norm = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
        self.whole = transforms.Compose(
            [transforms.ToTensor(), transforms.Normalize([0.485, 0.456, 0.406], [0.2, 0.2, 0.2])]
        )

    def __getitem__(self, index):
        image = cv2.resize(cv2.imread(self.paths[index]), (224, 224))
        other = self.whole(image)  # here: blue is taken for red
        if torch.rand(1) < 0.5:
            image = image[:, ::-1].copy()
        x = torch.from_numpy(image.transpose(2, 0, 1)).float() / 255
        return self.norm(x), other  # here: `x`
```

Good:

```python
import cv2
import numpy as np
import torch
from PIL import Image

cv2.imwrite("red.png", np.full((4, 4, 3), (0, 0, 255), dtype=np.uint8))
image = cv2.imread("red.png")
image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
picture = Image.fromarray(image)
x = torch.from_numpy(np.array(picture))
```

Fine (grey, turned round, read as RGB, only sometimes from OpenCV):

```python
import cv2
import numpy as np
import torch
from PIL import Image

cv2.imwrite("red.png", np.full((4, 4, 3), (0, 0, 255), dtype=np.uint8))
grey = Image.fromarray(cv2.imread("red.png", cv2.IMREAD_GRAYSCALE))
turned = Image.fromarray(cv2.imread("red.png")[:, :, ::-1])
read = Image.fromarray(cv2.imread("red.png", flags=cv2.IMREAD_COLOR_RGB))
image = cv2.imread("red.png")
if torch.rand(1) < 2:
    image = np.zeros((4, 4, 3), dtype=np.uint8)
mixed = Image.fromarray(image)
```
Fine (turned round before; means that are alike for all):

```python
import cv2
import torch
from torch.utils.data import Dataset
from torchvision import transforms


class Faces(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.norm = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
        self.alike = transforms.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])

    def __getitem__(self, index):
        image = cv2.imread(self.paths[index])
        first = torch.from_numpy(image[..., ::-1].copy()).permute(2, 0, 1).float() / 255
        second = torch.from_numpy(image[:, :, ::-1].transpose(2, 0, 1).copy()).float() / 255
        third = torch.from_numpy(image.transpose(2, 0, 1)[::-1].copy()).float() / 255
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        last = torch.from_numpy(image.transpose(2, 0, 1)).float() / 255
        return [self.norm(x) for x in (first, second)], self.norm(third), self.norm(last)

    def grey(self, index):
        x = torch.from_numpy(cv2.imread(self.paths[index])).permute(2, 0, 1).float() / 255
        return self.alike(x)
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import cv2, PIL, torchvision")

TAKING_RGB = ("PIL.Image.fromarray", "torchvision.transforms.functional.to_pil_image")


@pitfall.finds(fixes=True)
def blue_taken_for_red(code: Code) -> Hits:
    for call in code.calls_to(*TAKING_RGB):
        given = call.args[0] if call.args else None
        if given is None or not code.read_as_bgr(given):
            continue
        text, cv2 = code.text_of(given), code.spell("cv2", call)
        fix = None
        if cv2 is not None:
            turned = f"{cv2}.cvtColor({text}, {cv2}.COLOR_BGR2RGB)"
            fix = Fix("Put the channels in order", (code.replace(given, turned),))
        yield code.hit(call, f"`{text}` is BGR, as OpenCV reads it, and is taken for RGB", fix=fix)


@pitfall.finds
def normalized_as_rgb(code: Code) -> Hits:
    for call, image, normalize, _ in code.normalized():
        if code.for_rgb(normalize) and code.read_as_bgr(image):
            text = code.text_of(image)
            says = f"`{text}` is BGR, as OpenCV reads it, and is normalized by the means of RGB"
            yield code.hit(call, says)
