r"""An image is of another size than a vision transformer has positions for.

A vision transformer cuts the image into patches and adds to each the learned vector of its place. There are as many as the size that it was built for
has patches: 14 x 14 for 224 pixels in patches of 16. Another size makes another number of patches, and a size that is no multiple of the patch leaves a rest.

Cure: resize to the model's size, as its own processor or `timm.data.create_transform` does; or have the positions interpolated, `interpolate_pos_encoding=True` in
Transformers, `img_size=` or `dynamic_img_size=True` in timm.

Bad:

```python
import torch
from transformers import ViTConfig, ViTModel

model = ViTModel(ViTConfig(num_hidden_layers=1, image_size=224))
features = model(torch.ones(1, 3, 256, 256))
```

Good:

```python
import torch
from transformers import ViTConfig, ViTModel

model = ViTModel(ViTConfig(num_hidden_layers=1, image_size=224))
features = model(torch.ones(1, 3, 256, 256), interpolate_pos_encoding=True)
```

Message (transformers 4 and 5; `224`):

```text
ValueError: Input image size (256*256) doesn't match model (224*224).
```

Message (timm 0.9 and later; `256`):

```text
AssertionError: Input height (256) doesn't match model (224).
```

Message (torchvision 0.12 and later; `256`):

```text
AssertionError: Wrong image height! Expected 224 but got 256!
```

Message (DINOv2; `14`):

```text
AssertionError: Input image height 500 is not a multiple of patch height 14
```

Message (timm 0.9 and later, with dynamic_img_size; `14`):

```text
AssertionError: Input height (500) should be divisible by patch size (14).
```

Message (torchvision 0.12, where it is pasted in short; `another height`):

```text
fails with
Wrong image height!
```

Message (a vision transformer of one's own; `14 x 14 patches meet positions for 24 x 24`):

```text
RuntimeError: The size of tensor a (197) must match the size of tensor b (577) at non-singleton dimension 1
```

Message (positions without a class token; `32 x 32 patches meet positions for 96 x 96`):

```text
  File "models/transformer.py", line 26, in forward
    image = image + self.attention(q=image + pos_enc, k=image + pos_enc, v=image)
RuntimeError: The size of tensor a (1024) must match the size of tensor b (9216) at non-singleton dimension 1
```
"""

from keng.explain.advice.images import patches
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"Input image size \((?P<came>\d+\*\d+)\) doesn't match model \((?P<wants>\d+\*\d+)\)",
    r"Input (?:image )?(?:height|width|size) \((?P<came>\d+(?:\*\d+)?)\) doesn't match model \((?P<wants>\d+(?:\*\d+)?)\)",
    r"Wrong image (?:height|width)! Expected (?P<wants>\d+) but got (?P<came>\d+)",
    odds=0.95,
)
def no_positions_for_it(failure: Failure) -> Hits:
    came, wants = (failure.groups[key].replace("*", " x ") for key in ("came", "wants"))
    yield failure.hit(
        f"the image is of size {came}, and the model has positions for {wants}: resize it, or interpolate_pos_encoding=True (timm: img_size=)"
    )


@pitfall.explains(r"\bWrong image (?P<side>height|width)!(?! Expected)", odds=0.93)
def told_in_short(failure: Failure) -> Hits:
    yield failure.hit(
        f"the image has another {failure.groups['side']} than the model has positions for: resize it, or make the model with image_size="
    )


@pitfall.explains(
    r"The size of tensor a \((?P<one>\d{1,6})\) must match the size of tensor b \((?P<other>\d{1,6})\) at "
    r"non-singleton dimension 1\b",
    odds=0.94,
)
def squares_of_patches(failure: Failure) -> Hits:
    came, wants = int(failure.groups["one"]), int(failure.groups["other"])
    if (sides := patches(failure, came, wants)) is not None:
        a, b = sides
        yield failure.hit(
            f"{a} x {a} patches meet positions for {b} x {b}: the model is made for images of another size; resize them, or make it with image_size= or img_size="
        )


@pitfall.explains(
    r"Input image (?:height|width) (?P<came>\d+) is not a multiple of patch (?:height|width):? (?P<patch>\d+)",
    r"Input (?:height|width) \((?P<came>\d+)\) should be divisible by patch size \((?P<patch>\d+)\)",
    odds=0.96,
)
def patches_leave_a_rest(failure: Failure) -> Hits:
    came, patch = (int(failure.groups[key]) for key in ("came", "patch"))
    yield failure.hit(
        f"{came} pixels are no multiple of patches of {patch}: resize or pad to {-(-came // patch) * patch}"
    )
