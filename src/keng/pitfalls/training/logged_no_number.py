r"""What is logged as a number is no single number.

A curve has one number for each step. A tensor of several values, None, a text, a nested dict or an object is refused by
TensorBoard's `add_scalar` and by Lightning's `self.log`; a loss per sample is the usual one, or the outputs of a model.

Cure: `loss.mean().item()`; `add_scalars` or one call each for several; `add_histogram` for a whole tensor, `add_text` for a text.

Bad:

```python
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("/tmp/runs")
writer.add_scalar("loss", torch.ones(8), 0)
```

Good:

```python
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("/tmp/runs")
writer.add_scalar("loss", torch.ones(8).mean(), 0)
```

Message (torch 1.4 to 1.10; `add_scalar`):

```text
AssertionError: scalar should be 0D
```

Message (torch 2.13; `add_scalar`):

```text
AssertionError: Tensor should contain one element (0 dimensions).             Was given size: 8 and 1 dimensions.
```

Message (torch 1.4 to 2.2; `NoneType`):

```text
NotImplementedError: Got <class 'NoneType'>, but numpy array, torch tensor, or caffe2 blob name are expected.
```

Message (torch 2.13; `str`):

```text
NotImplementedError: Got <class 'str'>, but numpy array or torch tensor are expected.
```

Message (torch 1.1 to 2.13, of hyperparameters):

```text
ValueError: value should be one of int, float, str, bool, or torch.Tensor
```

Message (Lightning 2; `preds`):

```text
ValueError: `self.log(preds, tensor([0.1, 0.7]))` was called, but the tensor must have a single element. You can try doing `self.log(preds, tensor([0.1, 0.7]).mean())`
```

Message (Lightning 2; `str`):

```text
ValueError: `self.log(name, a)` was called, but `str` values cannot be logged
```

Message (Lightning 2; `nested`):

```text
ValueError: `self.log_dict({'a': {'b': 1}})` was called, but nested dictionaries cannot be logged
```

Message (torch 1.0 to 2.13, of add_histogram; `NaN`):

```text
ValueError: The histogram is empty, please file a bug report.
```

Message (torch 1.2 to 2.13, of add_hparams; `dicts`):

```text
TypeError: hparam_dict and metric_dict should be dictionary.
```

Message (torch 1.0 to 2.13, of add_embedding; `each row`):

```text
AssertionError: #labels should equal with #data points
```

Message (torch 2.13, of add_embedding; `matrix`):

```text
AssertionError: mat should be 2D, where mat.size(0) is the number of data points
```

Message (torch 2.13, of add_embedding; `each row`):

```text
AssertionError: len of header must be equal to the number of columns in metadata
```

Message (torch 2.13, of add_images; `channels`):

```text
AssertionError: Input should be a 4D numpy array with 3 channels
```

Message (torch 2.13; `x.unsqueeze(0)`):

```text
  File "train.py", line 9, in <module>
    writer.add_video("clip", frames)
  File "/env/lib/python3.11/site-packages/torch/utils/tensorboard/writer.py", line 702, in add_video
    video(tag, vid_tensor, fps), global_step, walltime
  File "/env/lib/python3.11/site-packages/torch/utils/tensorboard/summary.py", line 617, in video
    tensor = _prepare_video(tensor)
  File "/env/lib/python3.11/site-packages/torch/utils/tensorboard/_utils.py", line 46, in _prepare_video
    b, t, c, h, w = V.shape
ValueError: not enough values to unpack (expected 5, got 4)
```

Message (pandas 2; `.item()`):

```text
TypeError: Could not convert [tensor(1851.6046) tensor(326.9721)] to numeric
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import tensorboard")


@pitfall.explains(
    r"scalar should be 0D|Tensor should contain one element \(0 dimensions\)",
    r"Got <class '(?P<kind>[\w.]+)'>, but numpy array(?:,| or) torch tensor",
    r"value should be one of int, float, str, bool, or torch\.Tensor",
    odds=0.93,
)
def for_tensorboard(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    what = f"a {kind}" if kind else "more than one number"
    cure = "x.mean().item() for add_scalar, add_histogram for a whole tensor"
    if "int, float, str" in failure.message:
        what, cure = "None, a list or an object among the hyperparameters", "str(value) for those"
    yield failure.hit(f"what is logged is {what}: {cure}")


@pitfall.explains(
    r"`self\.log\((?P<name>[^,`]{1,80}), .{0,300}?` was called, but (?P<what>the tensor must have a single element|`?\w+`? values|nested)",
    r"`self\.log_dict\(.{0,300}?` was called, but (?P<what>nested)",
    odds=0.95,
)
def for_lightning(failure: Failure) -> Hits:
    name, what = failure.groups.get("name") or "what is logged", failure.groups["what"]
    says = "holds several numbers: .mean(), or one name for each"
    if what == "nested":
        says = "is a nested dict: one flat dict of numbers"
    elif what.endswith("values"):
        says = f"is of {what.replace('values', '').strip('` ')}, no number: leave it out"
    yield failure.hit(f"`{name}` {says}")


pitfall.answers(
    {
        "The histogram is empty, please file": "the histogram has no value to count: all are NaN, as weights are after the loss was",
        "hparam_dict and metric_dict should be dict": "add_hparams takes two dicts, of settings and of results",
        "#labels should equal with #data points": "add_embedding wants a label for each row of the matrix",
        "#images should equal with #data points": "add_embedding wants an image for each row of the matrix",
        "mat should be 2D, where mat.size(0)": "add_embedding takes a matrix, one row a sample: x.flatten(1)",
        "len of header must be equal to the number of columns": "metadata_header has a name for each entry of a row of metadata, and each row is a list",
        "The input has no element": "the histogram is of an empty tensor: numel() > 0 first",
        "input tensor should be 1 dimensional": "add_audio takes one channel, (1, samples): x.mean(0, keepdim=True)",
        "Input should be a 4D numpy array with 3 channels": "a grid of images has 1 or 3 channels: pick three, x[:, :3], or log each channel as a gray image",
        "should be a list of same type as hparam_dict": 'hparam_domain_discrete lists, for each setting, values of its own type: {"lr": [0.1, 0.01]}',
        "len(bucket_limits) != len(bucket_counts)": "add_histogram_raw wants a count for each upper bound",
        "should be of shape BxNx3": "add_mesh takes (batch, points, 3): x.unsqueeze(0)",
    },
    odds=0.95,
)


@pitfall.explains(r"not enough values to unpack \(expected 5, got \d\)", odds=0.95)
def video_without_batch(failure: Failure) -> Hits:
    if failure.passed_through("torch/utils/tensorboard/summary.py"):
        yield failure.hit("add_video takes (batch, time, channels, height, width): x.unsqueeze(0)")


@pitfall.explains(r"Could not convert \[?tensor\(.{1,300}? to numeric", odds=0.93)
def for_pandas(failure: Failure) -> Hits:
    yield failure.hit(
        "a column of a table holds tensors, of which pandas makes no mean: keep numbers, loss.item()"
    )
