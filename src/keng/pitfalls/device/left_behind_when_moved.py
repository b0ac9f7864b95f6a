r"""What goes with a model stays behind when the model or the batch is moved.

`.to()` of a module moves its parameters, buffers and submodules. A metric in a plain list or dict, a graph whose features were moved
alone, a layer that is exchanged after the move, or an optimizer made before it are none of them. An optimizer holds the parameters it was given: where moving makes new ones
(on TPUs, by some libraries) it goes on with the old.

Cure: move the model first and make the optimizer from it; keep metrics as attributes of the module, in `nn.ModuleList` or
`nn.ModuleDict`, or call `metric.to(device)`; `graph.to(device)` moves a graph and all its features.

Bad:

```python
import torch
from torchmetrics.classification import MulticlassAccuracy

metrics = [MulticlassAccuracy(num_classes=3)]
metrics[0](torch.randn(8, 3, device="cuda"), torch.zeros(8, dtype=torch.long, device="cuda"))
```

Good:

```python
import torch
from torchmetrics.classification import MulticlassAccuracy

metric = MulticlassAccuracy(num_classes=3).to("cuda")
metric(torch.randn(8, 3, device="cuda"), torch.zeros(8, dtype=torch.long, device="cuda"))
```

Message (torch 1.6 to 2.13, with the code; `model.fc`):

```text
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)

model = models.resnet18(pretrained=True).to(device)
model.fc = nn.Linear(512, 10)
for x, y in loader:
    out = model(x.to(device))
```

Message (torch 1.5 to 1.7, with the code; `net.classifier[1]`):

```text
net = mobilenet_v2(pretrained=True).cuda()
net.classifier[1] = nn.Linear(1280, 10)

RuntimeError: Tensor for 'out' is on CPU, Tensor for argument #1 'self' is on CPU, but expected them to be on GPU (while checking arguments for addmm)
```

Message (torch 1.6 under autocast, with the code; `model.fc`):

```text
model = models.resnet18(pretrained=True)
model.cuda()
model.fc = nn.Linear(512, 10)
with autocast():
    out = model(x.cuda())

RuntimeError: expected scalar type Float but found Half
```

Message (torchmetrics; `MulticlassAccuracy`):

```text
RuntimeError: Encountered different devices in metric calculation (see stacktrace for details). This could be due to the metric class not being on the same device as input. Instead of `metric=MulticlassAccuracy(...)` try to do `metric=MulticlassAccuracy(...).to(device)` where device corresponds to the device of the input.
```

Message (accelerate and transformers; `optimizer`):

```text
ValueError: The model and the optimizer parameters are not on the same device, which probably means you created an optimizer around your model **before** putting on the device.
```

Message (DGL; `cuda:0`):

```text
DGLError: Cannot assign node feature "h" on device cuda:0 to a graph on device cpu. Call DGLGraph.to() to copy the graph to the same device.
```

Message (transformers 4.46; `cuda:1`):

```text
ValueError: Calculated loss must be on the original device: cuda:0 but device in use is cuda:1
```

Message (transformers 4 and 5; `input_ids`):

```text
UserWarning: You are calling .generate() with the `input_ids` being on a device type different than your model's device. `input_ids` is on cpu, whereas the model is on cuda. You may experience unexpected behaviors or slower generation. Please make sure that you have put `input_ids` to the correct device by calling for example input_ids = input_ids.to('cuda') before running `.generate()`.
```

Message (DGL; `feat.to('cuda:0')`):

```text
DGLError: Cannot assign node feature "feat" on device cpu to a graph on device cuda:0. Call DGLGraph.to() to copy the graph to the same device.
```

Message (transformers 4 and 5, a model that stayed on the CPU; `model.to('cuda')`):

```text
UserWarning: You are calling .generate() with the `input_ids` being on a device type different than your model's device. `input_ids` is on cuda, whereas the model is on cpu. You may experience unexpected behaviors or slower generation.
```
"""

from keng.explain.advice.shown import set_after_the_move
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"expected scalar type (?:Float|Half|BFloat16) but found (?:Float|Half|BFloat16)",
    r"Expected all tensors to be on the same device|[Ii]nput type \((?:torch\.cuda\.|CUDA)\w+\) and (?:weight|bias) type \((?:torch\.(?!cuda)|CPU)",
    r"is on CPU, but expected (?:it|them) to be on GPU|Expected object of (?:device type|backend) (?:cuda|CUDA) but got",
    odds=0.96,
)
def a_layer_set_behind(failure: Failure) -> Hits:
    layer, model = set_after_the_move(failure)
    if layer:
        yield failure.hit(
            f"`{layer}` is made after `{model}` was moved, and stays on the CPU, where the autocast of a card casts nothing: {model}.to(device) once more behind it"
        )


@pitfall.explains(
    r"Encountered different devices in metric calculation(?:.{0,180}?`metric=(?P<metric>\w+)\()?",
    odds=0.96,
)
def a_metric(failure: Failure) -> Hits:
    metric = failure.groups["metric"] or "the metric"
    yield failure.hit(
        f"{metric} counts on another device than its inputs: .to(device), or an attribute of the module, not a plain list or dict"
    )


@pitfall.explains(r"The model and the optimizer parameters are not on the same device", odds=0.96)
def an_optimizer(failure: Failure) -> Hits:
    yield failure.hit(
        "the optimizer holds the parameters from before the move: model.to(device) first, then the optimizer"
    )


@pitfall.explains(
    r"Cannot assign \w+ feature \"(?P<what>[^\"]{1,60})\" on device (?P<other>[\w:]+) to a graph on device (?P<one>[\w:]+)",
    r"Calculated (?P<what>loss) must be on the original device: (?P<one>[\w:]+) but device in use is (?P<other>[\w:]+)",
    r"`(?P<what>input_ids)` is on (?P<other>[\w:]+), whereas the model is on (?P<one>[\w:]+)",
    odds=0.96,
)
def a_part(failure: Failure) -> Hits:
    what, other, one = (failure.groups[key] for key in ("what", "other", "one"))
    move = f".to('{one}') for it, or for both"
    if other == "cpu":
        move = f"{what}.to('{one}')"
    elif one == "cpu":
        move = (
            f"g = g.to('{other}'), as it returns a new graph"
            if "graph" in failure.message
            else f"model.to('{other}')"
        )
    yield failure.hit(f"`{what}` lies on {other}, and what it belongs to on {one}: {move}")
