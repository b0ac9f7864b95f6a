r"""A callback keeps the worst model, or stops the training that goes well.

Lightning's `EarlyStopping` and `ModelCheckpoint` take `mode="min"` where none is given: what they monitor should fall. Of an
accuracy the checkpoint that is kept is then the one with the lowest, and the training ends after as many better rounds
as `patience` allows.

Cure: `mode="max"` for what should rise.

Bad:

```python
from pytorch_lightning.callbacks import ModelCheckpoint

keep = ModelCheckpoint(monitor="val_acc", save_top_k=1)  # here: of the lowest accuracy
```

Proof:

```python
assert keep.mode == "min"
```

Bad (a training is stopped):

```python
from pytorch_lightning.callbacks import EarlyStopping

stop = EarlyStopping("val_f1", patience=3)  # here: after three better rounds
```

Proof:

```python
assert stop.mode == "min"
```

Good:

```python
from pytorch_lightning.callbacks import EarlyStopping, ModelCheckpoint

keep = ModelCheckpoint(monitor="val_acc", mode="max", save_top_k=1)
stop = EarlyStopping("val_loss", patience=3)
```

Fine (a name that says nothing; a class of one's own):

```python
class EarlyStopping:
    def __init__(self, monitor, patience):
        self.monitor, self.patience = monitor, patience


stop = EarlyStopping("val_acc", patience=3)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")

WAY = {"max": "rises", "min": "falls"}
MONITOR = {"EarlyStopping": 0, "ModelCheckpoint": 2}
"""The position of `monitor` among their arguments."""


@pitfall.finds
def monitored_the_wrong_way(code: Code) -> Hits:
    for call in code.calls_with(MONITOR.__contains__):
        home, _, name = code.resolve(call.func).rpartition(".")
        if not home.startswith(("lightning.", "pytorch_lightning.")) or name not in MONITOR:
            continue
        measure, mode = code.argument(call, "monitor", MONITOR[name]), code.argument(call, "mode")
        if measure is not None and (wanted := code.turned_round(measure, mode)):
            says = f"`{code.text_of(measure)}` {WAY[wanted]} when all goes well"
            yield code.hit(call, f'{says}, and `{name}` wants the opposite: mode="{wanted}"')
