r"""A model of torchvision is told by a flag to load weights.

Since torchvision 0.13 a model may have several sets of weights, and `weights=` names the one that is meant;
`pretrained=True` stands for the first one ever published, with a warning, and not for the best. A later version
takes the flag no more.

Cure: `weights="IMAGENET1K_V1"` for the weights that `pretrained=True` gave, `weights="DEFAULT"` for the best
there are, `weights=None` for none.

Bad:

```python
import warnings

from torchvision import models

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    net = models.resnet18(pretrained=False)  # here: `weights`
```

Proof:

```python
assert "pretrained" in str(said[0].message)
```

Good:

```python
from torchvision import models

net = models.resnet18(weights=None)
```

Fine (a function of one's own):

```python
from torchvision import models


def resnet18(pretrained=False):
    return models.resnet18(weights="DEFAULT" if pretrained else None)


net = resnet18(pretrained=False)
```

Message (torchvision 0.13 to 0.20):

```text
UserWarning: The parameter 'pretrained' is deprecated since 0.13 and may be removed in the future, please use 'weights' instead.
```
"""

from keng.data.old_names import NEW_ARGUMENTS, TORCHVISION_MODELS, WITHOUT_WEIGHTS
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="torchvision")
pitfall.says(r"The parameter 'pretrained(?:_backbone)?' is deprecated since 0\.13", odds=0.98)


@pitfall.finds(fixes=True)
def flag_for_weights(code: Code) -> Hits:
    for call, model in code.calls_below(TORCHVISION_MODELS):
        for keyword in call.keywords:
            new = NEW_ARGUMENTS.get(keyword.arg or "")
            if new is None or code.torch_at_least("1.12") is False:
                continue
            text = "None" if code.is_constant(keyword.value, False) else ""
            if code.is_constant(keyword.value, True) and new == "weights" and "." not in model:
                text = "None" if model in WITHOUT_WEIGHTS else '"IMAGENET1K_V1"'
            edit = code.replace(keyword, f"{new}={text}")
            fix = Fix(f"Write {new}={text}", (edit,), "safe") if text else None
            yield code.hit(keyword, f"`{keyword.arg}` is outdated: it is `{new}` now", fix=fix)
