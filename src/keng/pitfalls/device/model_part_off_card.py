r"""A part of the model is kept off the card and fetched when it runs.

A `device_map` of accelerate lays layers on the CPU or the disk where the cards are full, and puts a hook before each that brings its weights for the pass and drops them after it. `enable_model_cpu_offload` and
`enable_sequential_cpu_offload` of diffusers do so for the parts of a pipeline. It saves memory and costs time, as all weights cross the bus in each pass. `max_memory` counts cards by numbers, and a map
speaks of modules by their names in the model that is loaded.

Cure: fewer bits or a smaller model, so that all fits on the card; `max_memory={0: "20GiB", "cpu": "60GiB"}`; names out of `model.named_modules()`; no `.to("cuda")` for a pipeline that is offloaded.

Bad:

```python
from accelerate import infer_auto_device_map
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
layers = infer_auto_device_map(model, max_memory={"0": "20GiB", "cpu": "60GiB"})  # seen: `0`
```

Good:

```python
from accelerate import infer_auto_device_map
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
layers = infer_auto_device_map(model, max_memory={"cpu": "60GiB"})
```

Message (accelerate and transformers; `on the cpu`):

```text
Some parameters are on the meta device because they were offloaded to the cpu.
```

Message (an older accelerate; `disk and cpu`):

```text
Some parameters are on the meta device device because they were offloaded to the disk and cpu.
```

Message (accelerate; `32 MB`):

```text
UserWarning: Current model requires 33556032 bytes of buffer for offloaded layers, which seems does not fit any GPU's remaining memory. If you are experiencing a OOM later, please consider using offload_buffers=True.
```

Message (accelerate; `model.embed_tokens`):

```text
UserWarning: The following device_map keys do not match any submodules in the model: ['model.embed_tokens', 'model.norm']
```

Message (accelerate; `card 2`):

```text
Device 2 is not available, available devices are [0, 1]
```

Message (diffusers; `sequential`):

```text
ValueError: It seems like you have activated sequential model offloading by calling `enable_sequential_cpu_offload`, but are now attempting to move the pipeline to GPU. This is not compatible with offloading. Please, move your pipeline `.to('cpu')` or consider removing the move altogether if you use sequential offloading.
```

Message (diffusers; `stays there`):

```text
It seems like you have activated model offloading by calling `enable_model_cpu_offload`, but are now manually moving the pipeline to GPU. It is strongly recommended against doing so as memory gains from offloading are likely to be lost.
```

Message (diffusers; `device_map`):

```text
ValueError: It seems like you have activated a device mapping strategy on the pipeline which doesn't allow explicit device placement using `to()`. You can call `reset_device_map()` to remove the existing device map from the pipeline.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import accelerate")

pitfall.answers(
    {
        "you have activated sequential model offloading by calling": "sequential offloading brings each layer to the card by itself: leave out .to('cuda')",
        "you have activated model offloading by calling": "offloading brings each part to the card by itself, and what .to('cuda') has moved stays there: leave it out",
        "you have activated a device mapping strategy on the pipeline": "device_map has laid the parts of the pipeline on their devices: leave out .to('cuda'), or device_map",
    },
    odds=0.97,
)


@pitfall.explains(
    r"Some parameters are on the meta device (?:device )?because they were offloaded to the (?P<where>(?:cpu|disk)(?: and (?:cpu|disk))?)",
    odds=0.96,
)
def fetched_in_each_pass(failure: Failure) -> Hits:
    where = failure.groups["where"]
    yield failure.hit(
        f"a part of the model lies on the {where}, as a rule because the card is full, and each pass fetches it: right and slow; fewer bits or a smaller model fits whole"
    )


@pitfall.explains(
    r"Current model requires (?P<size>\d+) bytes of buffer for offloaded layers", odds=0.96
)
def buffers_do_not_fit(failure: Failure) -> Hits:
    size = int(failure.groups["size"]) >> 20
    yield failure.hit(
        f"the buffers of the layers off the card take {size} MB on it, which are not free: offload_buffers=True, or a smaller max_memory for the card"
    )


@pitfall.explains(
    r"The following device_map keys do not match any submodules in the model: \[(?P<names>[^\]\n]{1,400})",
    odds=0.96,
)
def names_of_another_model(failure: Failure) -> Hits:
    names = failure.groups["names"][:120]
    yield failure.hit(
        f'the device_map names {names}, which this model has not: names out of model.named_modules(), or "auto"'
    )


@pitfall.explains(
    r"Device (?P<key>[\w:.-]{1,20}) is not recognized, available devices are integers", odds=0.97
)
def key_of_another_kind(failure: Failure) -> Hits:
    key = failure.groups["key"]
    yield failure.hit(
        f'max_memory has the key \'{key}\', and a card is a number there: {{0: "20GiB", "cpu": "60GiB"}}'
    )


@pitfall.explains(
    r"Device (?P<card>-?\d+) is not available, available devices are (?P<there>\[[\d, ]*\])",
    odds=0.95,
)
def no_such_card(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    yield failure.hit(
        f"max_memory names card {card}, and the program sees {there}: see CUDA_VISIBLE_DEVICES, which counts them anew"
    )
