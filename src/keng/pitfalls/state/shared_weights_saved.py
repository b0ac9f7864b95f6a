r"""Weights that share memory are saved to a format that keeps each tensor by itself.

`torch.save` keeps the sharing. A safetensors file has no way to say that two names are one tensor, nor that a tensor is a view with gaps, and
its library refuses rather than store it twice or wrongly. Tied weights (an embedding and the output layer), a layer that hangs
in two places of the model, slices and transposed tensors are such.

Cure: `safetensors.torch.save_model(model, file)` and `load_model`, which drop the copies and tie them again; `.contiguous()` or `.clone()`
for views; for a model of Transformers `save_pretrained`, with its tied weights named in `_tied_weights_keys`, or
`safe_serialization=False` (`save_safetensors=False` in TrainingArguments).

Bad:

```python
from safetensors.torch import save_file
from torch import nn

embedding, head = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
head.weight = embedding.weight
model = nn.ModuleDict({"embedding": embedding, "head": head})
save_file(model.state_dict(), "model.safetensors")
```

Good:

```python
from safetensors.torch import save_model
from torch import nn

embedding, head = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
head.weight = embedding.weight
model = nn.ModuleDict({"embedding": embedding, "head": head})
save_model(model, "model.safetensors")
```

Message (safetensors 0.3 to 0.5; `lm_head.weight`):

```text
RuntimeError:
            Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading them again: [{'lm_head.weight', 'transformer.wte.weight'}].
            A potential way to correctly save your model is to use `save_model`.
```

Message (transformers 4.46; `shared.weight`):

```text
RuntimeError: The weights trying to be saved contained shared tensors [{'shared.weight', 'encoder.embed_tokens.weight'}] that are mismatching the transformers base configuration. Try saving using `safe_serialization=False` or remove this tensor sharing.
```

Message (safetensors 0.3 to 0.5; `transformer.h.0.attn.weight`):

```text
ValueError: You are trying to save a non contiguous tensor: `transformer.h.0.attn.weight` which is not allowed. It either means you are trying to save tensors which are reference of each other in which case it's recommended to save only the full tensors, and reslice at load time, or simply call `.contiguous()` on your tensor to pack it before saving.
```

Bad (a number beside the weights):

```python
import tempfile

from safetensors.torch import save_file
from torch import nn

state = {**nn.Linear(2, 2).state_dict(), "epoch": 3}
save_file(state, tempfile.mkdtemp() + "/model.safetensors")  # seen: `epoch`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import safetensors")


@pitfall.explains(
    r"Some tensors share memory, this will lead to duplicate memory on disk.{0,80}?again: \[\{(?P<names>[^}]{1,300})",
    r"weights trying to be saved contained shared tensors \[\{(?P<names>[^}]{1,300})",
    odds=0.97,
)
def one_tensor_twice(failure: Failure) -> Hits:
    names = failure.groups["names"].replace("'", "")
    yield failure.hit(
        f"{names} are one tensor, which safetensors does not store twice: save_model for a module, or "
        "safe_serialization=False (save_safetensors=False for a Trainer)"
    )


@pitfall.explains(r"trying to save a non contiguous tensor: `(?P<name>[\w.]{1,300})`", odds=0.97)
def view_with_gaps(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a view of another tensor's memory: {{k: v.contiguous() for k, v in state.items()}} before saving"
    )


@pitfall.explains(
    r"Key `(?P<name>[^`\n]{1,200})` is invalid, expected torch\.Tensor but received <class '(?P<kind>[\w.]{1,60})'>",
    odds=0.97,
)
def no_tensor(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    cure = "model.state_dict() alone" if kind.endswith("dict") else "metadata={name: str(value)}"
    yield failure.hit(
        f"safetensors keeps tensors alone, and `{name}` is a {kind}: {cure}, or torch.save"
    )
