r"""A folder of images has no subfolder for each class.

`ImageFolder` takes the folders below its root for classes and the images in them for samples. It fails where the images lie in the
root itself, where the root is one level too high or too low, where a folder holds none of the endings it knows (`.JPG` counts as
`.jpg`), and where a stray one such as `.ipynb_checkpoints` stands beside the classes. A relative path is looked up from where the
program was started.

Cure: `root/cat/1.png`, `root/dog/2.png`, and the root in the call; print `os.listdir(root)`; `allow_empty=True` for classes that have no
images yet; a Dataset of one's own where the labels are in a table.

Bad:

```python
import tempfile

from torchvision.datasets import ImageFolder

with tempfile.TemporaryDirectory() as root:
    images = ImageFolder(root)  # seen: no folders
```

Good:

```python
import os
import tempfile

from PIL import Image
from torchvision.datasets import ImageFolder

with tempfile.TemporaryDirectory() as root:
    os.mkdir(f"{root}/cat")
    Image.new("RGB", (4, 4)).save(f"{root}/cat/1.png")
    images = ImageFolder(root)
```

Message (torchvision; `./data`):

```text
FileNotFoundError: Couldn't find any class folder in ./data.
```

Message (torchvision; `.ipynb_checkpoints`):

```text
FileNotFoundError: Found no valid file for the classes .ipynb_checkpoints. Supported extensions are: .jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif, .tiff, .webp
```

Message (torchvision, older; `./data/train`):

```text
RuntimeError: Found 0 files in subfolders of: ./data/train
Supported extensions are: .jpg,.jpeg,.png,.ppm,.bmp,.pgm,.tif,.tiff,.webp
```

Message (torchvision, the first; `./data`):

```text
RuntimeError: Found 0 images in subfolders of: ./data
Supported image extensions are: .jpg,.JPG,.jpeg,.JPEG,.png,.PNG,.ppm,.PPM,.bmp,.BMP
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchvision")


@pitfall.explains(r"Couldn't find any class folder in (?P<root>\S{1,200}?)\.?(?: |$)", odds=0.95)
def no_folders(failure: Failure) -> Hits:
    root = failure.groups["root"]
    yield failure.hit(
        f"{root} holds no folders, which are the classes of ImageFolder: {root}/CLASS/IMAGE"
    )


@pitfall.explains(r"Found 0 (?:files|images) in subfolders of: ?(?P<root>\S{1,200})", odds=0.95)
def no_images(failure: Failure) -> Hits:
    root = failure.groups["root"]
    yield failure.hit(
        f"the folders in {root} hold no images: {root}/CLASS/IMAGE, or another level is the root"
    )


@pitfall.explains(
    r"Found no valid file for the classes (?P<classes>.{1,120}?)\. Supported extensions are",
    odds=0.95,
)
def empty_classes(failure: Failure) -> Hits:
    classes = failure.groups["classes"]
    stray = "remove" if classes.startswith(".") else "fill or remove"
    yield failure.hit(
        f"no file in {classes} has an ending of images: {stray} it, extensions=, or allow_empty=True"
    )
