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
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="OpenCV and Pillow")

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
