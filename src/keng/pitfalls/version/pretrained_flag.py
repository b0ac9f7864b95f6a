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
    net = models.resnet18(False)  # here: the same by position
```

Proof:

```python
assert "pretrained" in str(said[0].message)
```

Bad (a model that is looked up by its name):

```python
import warnings

from torchvision import models

name = "resnet18"
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    net = models.__dict__[name](pretrained=False)  # here: `weights`
    net = getattr(models, name)(pretrained=False)  # here: `weights`
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

Message (torchvision 0.13 and later):

```text
UserWarning: Arguments other than a weight enum or `None` for 'weights' are deprecated since 0.13 and may be removed in the future. The current behavior is equivalent to passing `weights=ResNet18_Weights.IMAGENET1K_V1`.
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.source import Code
from keng.tables.removed_symbols import NEW_ARGUMENTS, TORCHVISION_MODELS, WITHOUT_WEIGHTS

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import torchvision")
pitfall.says(r"The parameter 'pretrained(?:_backbone)?' is deprecated since 0\.13", odds=0.98)
pitfall.says(
    r"Arguments other than a weight enum or `None` for 'weights' are deprecated", odds=0.98
)


@pitfall.finds(fixes=True)
def flag_for_weights(code: Code) -> Hits:
    for call, model in code.calls_below(TORCHVISION_MODELS):
        given: list[tuple[str, ast.AST, ast.expr]] = [
            (k.arg or "", k, k.value) for k in call.keywords if k.arg in NEW_ARGUMENTS
        ]
        if call.args and (code.is_true(call.args[0]) or code.is_constant(call.args[0], False)):
            given.append(("pretrained", call.args[0], call.args[0]))
        for flag, node, value in given if code.torch_at_least("1.12") is not False else ():
            new = NEW_ARGUMENTS[flag]
            text = "None" if code.is_constant(value, False) and len(call.args) < 2 else ""
            if len(call.args) < 2 and code.is_true(value) and new == "weights" and "." not in model:
                text = "None" if model in WITHOUT_WEIGHTS else '"IMAGENET1K_V1"'
            edit = code.replace(node, f"{new}={text}")
            fix = Fix(f"Write {new}={text}", (edit,), "safe") if text else None
            yield code.hit(node, f"`{flag}` is outdated: it is `{new}` now", fix=fix)
