r"""The search for a batch size that fits ended at zero.

`find_executable_batch_size` of accelerate (`auto_find_batch_size=True` of a Trainer) calls the function again with a smaller batch whenever it runs out of memory, and gives up at zero.
Where not even one sample fits, the weights, their gradients and the optimizer fill the card; or the memory of the attempts before is still held, as the model or the loader was made outside of the
function. Any error whose words are of memory ("out of memory.", `CUDNN_STATUS_NOT_SUPPORTED.`) counts as too large a batch.

Cure: make the model, the optimizer and the loaders inside the function; run once with a fixed batch of one, which shows the error that the search hides; then a smaller model, a shorter sequence,
16 bits, LoRA, or gradient checkpointing.

Bad:

```python
from accelerate.utils import find_executable_batch_size


@find_executable_batch_size(starting_batch_size=4)
def train(batch_size):
    raise RuntimeError("CUDA out of memory.")  # what a model that does not fit says for each size


train()
```

Good:

```python
from accelerate.utils import find_executable_batch_size


@find_executable_batch_size(starting_batch_size=4)
def train(batch_size):
    if batch_size > 1:
        raise RuntimeError("CUDA out of memory.")


train()
```

Message (accelerate 0.10 to 1.12; `even one`):

```text
RuntimeError: No executable batch size found, reached zero.
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")

pitfall.answers(
    {
        "No executable batch size found, reached zero": "not even one sample fits beside the model, or earlier attempts still hold memory: make model and loaders inside the function, and run once with a batch of 1",
    },
    odds=0.95,
)
