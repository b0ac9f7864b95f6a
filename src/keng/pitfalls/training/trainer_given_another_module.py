r"""A trainer is given a module that is none of its own kind.

Lightning is one library under two names: `lightning.pytorch` (`import lightning as L`) and `pytorch_lightning` are two packages with two classes `LightningModule`, and
the Trainer of one does not know the module of the other. A plain `nn.Module`, a wrapper around the module or the class itself is no LightningModule either. What is written by
others, as a template or a second repository, often imports the other name.

Cure: one name in all files, as `import lightning as L`; `pip show` tells which of the two a library wants; the LightningModule holds the plain module, `self.model = model`.

Bad (a plain module):

```python
import pytorch_lightning as pl
import torch

model = torch.nn.Sequential(torch.nn.Linear(2, 1))
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(model, torch.utils.data.DataLoader(torch.ones(4, 2)))
```

Good:

```python
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), torch.utils.data.DataLoader(torch.ones(4, 2)))
```

Message (Lightning 2; `pytorch_lightning`):

```text
TypeError: You passed a `lightning.pytorch` object (LitModel) to a `pytorch_lightning` Trainer. Please switch to a single import style.
```

Message (Lightning 2; `LitModel`):

```text
TypeError: `model` must be a `LightningModule` or `torch._dynamo.OptimizedModule`, got `LitModel`
```

Message (Lightning 1.9; `Sequential`):

```text
TypeError: `model` must be a `LightningModule` or `torch._dynamo.OptimizedModule`, got `Sequential`
```

Message (Lightning 1.7; `Net`):

```text
TypeError: `Trainer.fit()` requires a `LightningModule`, got: Net
```

Message (Lightning 2; `ShapesData`):

```text
TypeError: An invalid dataloader was passed to `Trainer.fit(train_dataloaders=...)`. Found <shapes.ShapesData object at 0x7fde2348be50>.
```

Message (Lightning 2.6; `the data module`):

```text
TypeError: An invalid dataloader was passed to `Trainer.fit(train_dataloaders=...)`. Found {Train dataloader: size=4}
```

Message (Lightning 2; `ShapesData()`):

```text
TypeError: An invalid dataloader was passed to `Trainer.fit(train_dataloaders=...)`. Found <class '__main__.ShapesData'>.
```

Message (Lightning 2; `ShapesData.train_dataloader()`):

```text
TypeError: An invalid dataloader was passed to `Trainer.fit(train_dataloaders=...)`. Found <bound method ShapesData.train_dataloader of <__main__.ShapesData object at 0x7f5e416c8f10>>.
```

Message (Lightning 2.6; `the data module`):

```text
  File "/env/lib/python3.11/site-packages/pytorch_lightning/utilities/model_helpers.py", line 42, in is_overridden
    raise ValueError("Expected a parent")
ValueError: Expected a parent
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")


@pitfall.explains(
    r"You passed an? `(?P<given>[\w.]{2,40})` object \((?P<kind>[\w.<>]{1,80})\) to an? `(?P<trainer>[\w.]{2,40})` Trainer",
    odds=0.98,
)
def two_packages(failure: Failure) -> Hits:
    given, kind, trainer = (failure.groups[key] for key in ("given", "kind", "trainer"))
    yield failure.hit(
        f"`{kind}` comes from {given} and the Trainer from {trainer}, which do not know each other: import one of the two in all files"
    )


@pitfall.explains(
    r"`model` must be a `LightningModule` or `torch\._dynamo\.OptimizedModule`, got `(?P<kind>[\w.<>]{1,80})`",
    r"`Trainer\.\w{3,10}\(\)` requires a `LightningModule`, got: (?P<kind>[\w.<>]{1,80})",
    odds=0.97,
)
def no_module_of_lightning(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    says = f"`{kind}` is no LightningModule of this Trainer's package"
    if kind in ("type", "ABCMeta"):
        says = "the class is given, and no object of it"
    yield failure.hit(
        f"{says}: class Lit(LightningModule) that holds the model, with both imported from one of lightning and pytorch_lightning"
    )


OTHER_PACKAGE = "is no LightningDataModule of this Trainer's package: import one of lightning and pytorch_lightning in all files"


@pitfall.explains(
    r"An invalid dataloader was (?:passed to|returned from) `(?P<where>[\w.]+\([\w=.]*\))`\. Found "
    r"(?:<(?P<form>class '|bound method |function )?(?P<what>[\w.<>]{1,80})|\{(?:Train|Val|Test|Predict)\w* dataloader)",
    odds=0.97,
)
def no_loader_of_lightning(failure: Failure) -> Hits:
    form, what = (failure.groups.get(key, "") for key in ("form", "what"))
    name = what.rpartition(".")[2] if form != "bound method " else what
    if form and "<" not in name:
        yield failure.hit(
            f"`{name}` itself is given where a loader is taken, and not what it makes: `{name}()`"
        )
    elif not form and name.endswith(("Dataset", "Subset")):
        yield failure.hit(f"`{name}` is a data set: a DataLoader over it is taken")
    elif not form:
        shown = f"`{name}`" if name else "the data module"
        yield failure.hit(f"{shown} is taken for a loader, as it {OTHER_PACKAGE}")


@pitfall.explains(r"(?:^|Error: )Expected a parent$", odds=0.95)
def data_module_of_the_other_package(failure: Failure) -> Hits:
    if failure.passed_through("/utilities/model_helpers.py"):
        yield failure.hit(f"the data module {OTHER_PACKAGE}")
