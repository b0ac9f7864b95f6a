r"""What `load_state_dict(strict=False)` did not load is not looked at.

With `strict=False` names that do not fit are passed over in silence, be it one or all of them: a file
whose keys have a prefix too many loads nothing at all, and training starts from random weights. The
call returns what was missing and what was left over.

Cure: keep the answer and look at `missing_keys` and `unexpected_keys`.

Bad:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
before = [p.clone() for p in model.parameters()]
state = {f"backbone.{key}": torch.ones_like(value) for key, value in model.state_dict().items()}
model.load_state_dict(state, strict=False)  # here: nothing was loaded
```

Proof:

```python
assert all(torch.equal(a, b) for a, b in zip(before, model.parameters()))
```

Bad (a model that is given):

```python
from torch import nn


def warm(net, state):
    net.load_state_dict(state, False)  # here: of the old layers nothing fits
    return net


state = {f"module.{key}": value for key, value in nn.Linear(4, 2).state_dict().items()}
net = warm(nn.Linear(4, 2), state)
```

Bad (an answer that nobody reads):

```python
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
state = {f"module.{key}": value for key, value in model.state_dict().items()}
message = model.load_state_dict(state, strict=False)  # here: nothing was loaded
```

Proof:

```python
assert message.missing_keys == list(model.state_dict())
```

Good:

```python
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
state = nn.Sequential(nn.Linear(4, 4)).state_dict()
missing, unexpected = model.load_state_dict(state, strict=False)
assert missing == ["1.weight", "1.bias"] and not unexpected
```

Fine (strict, not known to be lax, picked by hand, a scheduler's own method):

```python
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
state = model.state_dict()


def load(model, state, strict=True):
    model.load_state_dict(state, strict=strict)


class Registry:
    def load_state_dict(self, state, strict):
        self.state = state


load(model, state)
model.load_state_dict(state)
Registry().load_state_dict(state, strict=False)
own = model.state_dict()
fitting = {k: v for k, v in state.items() if k in own and v.shape == own[k].shape}
model.load_state_dict(fitting, strict=False)
filled = {}
for key, value in state.items():
    filled[key] = value.clone()
model.load_state_dict(filled, strict=False)
model.load_state_dict({"0.weight": state["0.weight"]}, strict=False)
```

Message (transformers 4 and 5, a Trainer that resumes; `lm_head.weight`):

```text
There were missing keys in the checkpoint model loaded: ['model.embed_tokens.weight', 'lm_head.weight'].
```

Message (transformers 4 and 5, a Trainer that resumes; `_orig_mod.model.embed_tokens.weight`):

```text
There were unexpected keys in the checkpoint model loaded: ['_orig_mod.model.embed_tokens.weight', '_orig_mod.lm_head.weight'].
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LoadedState
from keng.source import Code, Kind, Value

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def answer_dropped(code: Code) -> Hits:
    for call in code.method_calls("load_state_dict"):
        lax = code.is_constant(code.argument(call, "strict", position=1), False)
        if not lax or not (code.result_unused(call) or code.never_read(call)):
            continue
        model, state = code.receiver(call), code.argument(call, "state_dict", position=0)
        # What takes `strict` and is of no known kind is a module: optimizers know no such argument.
        known = code.value_of(model)
        module = known.kind is Kind.MODULE or known == Value()
        if not module or code.picked_by_hand(state):
            continue
        says = f"nobody sees what of `{code.text_of(model)}` was not loaded"
        yield code.hit(call, says, sure=known.kind is Kind.MODULE)


@pitfall.watches("state.loaded")
def little_was_loaded(state: LoadedState) -> Hits:
    if state.strict or not state.ignored or not state.unexpected or 2 * state.loaded > state.total:
        return
    says = f"{state.loaded} of {state.total} tensors of `{state.module}` were loaded"
    says += f"; {state.unexpected} names of the state are unknown to it, such as `{state.example}`"
    yield state.hit(says, loaded=state.loaded, total=state.total)


@pitfall.explains(
    r"There were (?P<which>missing|unexpected) keys in the checkpoint model loaded: \['(?P<name>[\w.-]{1,200})'(?P<more>, ')?",
    odds=0.95,
)
def a_trainer_went_on(failure: Failure) -> Hits:
    names = f"`{failure.groups['name']}`" + (" and others" if failure.groups["more"] else "")
    if failure.groups["which"] == "missing":
        yield failure.hit(
            f"the checkpoint lacks {names}, and the Trainer goes on with what the model had: right for a weight that is another's too, as lm_head.weight and embed_tokens often are"
        )
    else:
        yield failure.hit(
            f"the checkpoint holds {names}, which the model does not know, and the Trainer left it out: a checkpoint of another model, or of a wrapped one"
        )
