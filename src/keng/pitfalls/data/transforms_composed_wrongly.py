r"""Transforms of torchvision are put together in another way than they are called.

`Compose` takes one list, and calls each of its entries with the image. A transform that stands there without its list is gone through as if
it were one; several, or one beside the other, are too many arguments. A class that was never made, `transforms.ToTensor`, is made by that
call, of the image; a tuple, a number or None that came in by a comma or a bracket in the wrong place is no function. Where `ToTensor` is missing, a picture of
Pillow comes out. Albumentations takes its image by name, `transform(image=image)["image"]`, and so cannot stand where torchvision's do.

Cure: `Compose([transforms.Resize(224), transforms.ToTensor()])`, with brackets around and parentheses behind each; outside of it
`transforms.ToTensor()(image)`, or `transforms.functional.to_tensor(image)`.

Bad:

```python
from torchvision import transforms

prepare = transforms.Compose(transforms.ToTensor())
tensor = prepare(image)
```

Good:

```python
from torchvision import transforms

prepare = transforms.Compose([transforms.ToTensor()])
tensor = prepare(image)
```

Message (torchvision 0.2 and later; `[ToTensor()]`):

```text
TypeError: 'ToTensor' object is not iterable
```

Message (Python 3.7 and later; `ToTensor()(image)`):

```text
TypeError: ToTensor() takes no arguments
```

Message (torchvision 0.10; `Compose([...])`):

```text
TypeError: Compose.__init__() takes 2 positional arguments but 4 were given
```

Message (torchvision 0.10 and Python 3.8; `kind int`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 9, in <module>
    for images, labels in loader:
  File "/opt/conda/lib/python3.8/site-packages/torchvision/datasets/folder.py", line 234, in __getitem__
    sample = self.transform(sample)
  File "/opt/conda/lib/python3.8/site-packages/torchvision/transforms/transforms.py", line 60, in __call__
    img = t(img)
TypeError: 'int' object is not callable
```

Message (Albumentations 0.4 to 1.3; `transform(image=np.array(image))['image']`):

```text
KeyError: 'You have to pass data to augmentations as named arguments, for example: aug(image=image)'
```

Message (Pillow and torch; `transforms.ToTensor()`):

```text
AttributeError: 'JpegImageFile' object has no attribute 'unsqueeze'
```

Message (torchvision 0.2 and later; `float64`):

```text
TypeError: Input type float64 is not supported
```

Message (Albumentations 2; `var_limit`):

```text
UserWarning: Argument(s) 'var_limit' are not valid for transform GaussNoise
```

Message (Albumentations 1 and 2; `cv2.resize`):

```text
ValueError: Height and Width of image, mask or masks should be equal. You can disable shapes check by setting a parameter is_check_shapes=False of Compose class (do it only if you are sure about your data consistency).
```

Message (Albumentations 1 and 2; `np.array(image)`):

```text
TypeError: image must be numpy array type
```

Message (torchvision 0.2 and later; `x.astype('uint8')`):

```text
TypeError: Input type int64 is not supported
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an image and torchvision")

COMPOSE = ("torchvision/transforms/transforms.py", "torchvision/transforms/v2/_container.py")


@pitfall.explains(
    r"'(?P<name>ToTensor|ToPILImage|Resize|Normalize|(?:Random|Center|Five|Ten)\w{3,30}|Compose|ColorJitter|Grayscale)' object is not iterable",
    odds=0.93,
)
def no_list(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through(*COMPOSE):
        name = failure.groups["name"]
        yield failure.hit(f"Compose takes a list, and `{name}` stands there alone: [{name}()]")


@pitfall.explains(r"\b(?P<name>ToTensor|PILToTensor)\(\) takes no arguments", odds=0.95)
def class_called_with_the_image(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a class, and is called with the image: {name}() in Compose, {name}()(image) outside"
    )


@pitfall.explains(
    r"\bCompose\.__init__\(\) takes 2 positional arguments but (?P<given>\d+) were given", odds=0.95
)
def several_without_a_list(failure: Failure) -> Hits:
    came = int(failure.groups["given"]) - 1
    yield failure.hit(f"Compose takes one list, and {came} things are given: Compose([...])")


@pitfall.explains(
    r"(?:^|Error: )'(?P<kind>int|float|str|tuple|list|NoneType|Tensor)' object is not callable",
    odds=0.93,
)
def no_function(failure: Failure) -> Hits:
    last = failure.frames[-1].text if failure.frames else ""
    if failure.passed_through(*COMPOSE) and "t(img)" in last:
        kind = failure.groups["kind"]
        yield failure.hit(
            f"an entry of Compose is no transform but of kind {kind}: see its commas and brackets"
        )


pitfall.answers(
    {
        "You have to pass data to augmentations as named arguments": "a transform of Albumentations takes its image by name and gives a dict: transform(image=np.array(image))['image']",
        "Height and Width of image, mask or masks should be equal": "the mask has another height or width than its image: that of another image, or cv2.resize(mask, (w, h), interpolation=cv2.INTER_NEAREST)",
        "image must be numpy array type": "Albumentations takes arrays (H, W, C), no picture of Pillow, tensor or None: np.array(image), and see that cv2.imread found its file",
    },
    odds=0.96,
)


@pitfall.explains(
    r"Argument\(s\) '(?P<names>[\w, ]{1,120})' are not valid for transform (?P<kind>\w{2,60})",
    odds=0.95,
)
def argument_left_aside(failure: Failure) -> Hits:
    names, kind = failure.groups["names"], failure.groups["kind"]
    yield failure.hit(
        f"{kind} of this Albumentations knows no `{names}`, and leaves it aside unless strict=True: see help(A.{kind}) for its name there"
    )


@pitfall.explains(
    r"'(?P<kind>Image|(?:Jpeg|Png|Bmp|Tiff)ImageFile)' object has no attribute '(?P<name>to|unsqueeze|cuda|permute|dim|contiguous)'",
    odds=0.93,
)
def picture_for_a_tensor(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a tensor's, and this is a picture of Pillow: transforms.ToTensor() is missing, or the transform is not called"
    )


@pitfall.explains(r"Input type (?P<dtype>u?int\d+|float\d+|bool) is not supported", odds=0.9)
def picture_of_other_numbers(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"]
    cure = "(x * 255).astype('uint8') where x is 0 to 1"
    if "int" in dtype:
        cure = "x.astype('uint8') where x is 0 to 255"
    yield failure.hit(
        f"no picture of Pillow is made of an array of {dtype} and this number of channels: {cure}"
    )
