r"""Pretrained weights are asked for together with another number of classes than they have.

The weights of torchvision end in a layer of their own classes: 1000 of ImageNet, 91 of COCO, 21 of the segmentation models. A model with another last layer
cannot take them, so `num_classes` beside `weights` must be theirs. Since 0.13 torchvision refuses this at once; before, the state dict did not fit.

Cure: make the model with its weights, then replace the last layer: `model.fc` of a ResNet, `model.classifier[-1]` of a MobileNet or EfficientNet, `model.heads.head` of a ViT,
`model.roi_heads.box_predictor` of a detector; or `weights_backbone=` with `num_classes=` for detection and segmentation.

Bad:

```python
from torchvision.models import ResNet18_Weights, resnet18

model = resnet18(weights=ResNet18_Weights.DEFAULT, num_classes=10)
```

Good:

```python
from torch import nn
from torchvision.models import ResNet18_Weights, resnet18

model = resnet18(weights=ResNet18_Weights.DEFAULT)
model.fc = nn.Linear(model.fc.in_features, 10)
```

Message (torchvision 0.13 and later; `1000`):

```text
ValueError: The parameter 'num_classes' expected value 1000 but got 10 instead.
```

Message (torchvision 0.13 and later; `aux_logits`):

```text
ValueError: The parameter 'aux_logits' expected value True but got False instead.
```

Message (torchvision 0.3 and later; `box_predictor`):

```text
ValueError: num_classes should be None when box_predictor is specified
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchvision")


@pitfall.explains(
    r"The parameter '(?P<name>\w{2,40})' expected value (?P<wants>\w{1,20}) but got (?P<came>\w{1,20}) instead",
    odds=0.95,
)
def other_than_the_weights(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    cure = f"leave `{name}` out, and change the model after it is made"
    if name == "num_classes":
        cure = "leave it out, and replace the last layer of the model that comes"
    yield failure.hit(
        f"the weights were trained with {name}={wants}, and {came} is asked for: {cure}"
    )


ONE = "a box_predictor has a number of classes itself: num_classes=None, or without box_predictor"
pitfall.answers({"num_classes should be None when box_predictor": ONE}, odds=0.96)
