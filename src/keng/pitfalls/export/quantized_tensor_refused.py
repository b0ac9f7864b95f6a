r"""A quantized tensor is used as one of numbers, or is made with a scale, zero point or dtype that does not fit.

A quantized tensor keeps small integers with a scale and a zero point, so `+`, `*` and conversions of plain tensors do not know it; a few functions of
`torch.ops.quantized` do. Its dtypes are `torch.quint8`, `torch.qint8` and `torch.qint32`, not the integers of the same width. A zero point lies among the integers of
the dtype, and quantizing by channel takes one scale and one zero point for each channel.

Cure: `x.dequantize()` before what computes with floats; `torch.quint8` or `torch.qint8` to make one; scales and zero points of length
`x.size(axis)`.

Bad (with a plain one):

```python
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x + torch.ones(3)  # seen: `dequantize()`
```

Bad (a number):

```python
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x * 2  # seen: `dequantize()`
```

Bad (a conversion):

```python
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x.to(torch.float32)  # seen: `dequantize()`
```

Bad (a plain integer):

```python
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.int8)  # seen: `torch.qint8`
```

Bad (a zero point beyond it):

```python
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 300, torch.quint8)  # seen: `300`
```

Bad (scales of other channels):

```python
import torch

x, scales, zeros = torch.ones(2, 4), torch.ones(3), torch.zeros(3)
x = torch.quantize_per_channel(x, scales, zeros, 0, torch.quint8)  # seen: `2 channels`
```

Bad (not as many of both):

```python
import torch

scales, zeros = torch.ones(2), torch.zeros(3)
x = torch.quantize_per_channel(torch.ones(2, 4), scales, zeros, 0, torch.quint8)  # seen: `as many`
```

Bad (an axis that is not there):

```python
import torch

scales, zeros = torch.ones(2), torch.zeros(2)
x = torch.quantize_per_channel(torch.ones(2, 4), scales, zeros, 5, torch.quint8)  # seen: `axis 5`
```

Bad (simulated):

```python
import torch

x = torch.fake_quantize_per_tensor_affine(torch.ones(3), 0.1, 300, 0, 255)  # seen: `quant_min`
```

Good:

```python
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x.dequantize() * 2 + torch.ones(3)
x = torch.quantize_per_channel(torch.ones(2, 4), torch.ones(2), torch.zeros(2), 0, torch.qint8)
x = torch.fake_quantize_per_tensor_affine(torch.ones(3), 0.1, 128, 0, 255)
```

Message (torch 2.13):

```text
RuntimeError: Zero-point must be Int32, Float or Half, found Long
```

Message (torch 2.13):

```text
RuntimeError: The number of rows in the packB should be equal to K: 5
```

Message (torch 2.13):

```text
RuntimeError: Expected input data type QUInt8 but got QInt8
```

Message (torch 2.13):

```text
ValueError: Input shape must be `(N, C, H, W)`!
```

Message (torch 2.13):

```text
AssertionError: Default Observer only works for (torch.qint8, torch.quint8, torch.quint4x2, torch.qint32, torch.int8, torch.uint8, torch.int16, torch.int32, torch.float8_e5m2, torch.float8_e4m3fn, torch.uint16) data type
```

Message (torch 2.13):

```text
AssertionError: Used-specified quantization range must include 0.
```

Message (torch 2.13; `holds floats`):

```text
NotImplementedError: Could not run 'aten::int_repr' with arguments from the 'CPU' backend.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"promoteTypes with quantized numbers is not handled yet; .{0,80}offending types: (?P<kinds>\w+ \w+)",
    odds=0.96,
)
def with_plain_ones(failure: Failure) -> Hits:
    kinds = failure.groups["kinds"].replace(" ", " and ")
    yield failure.hit(f"tensors of {kinds} are not computed with each other: x.dequantize() first")


@pitfall.explains(r"ScalarType (?P<came>\w+) is not supported in new_qtensor", odds=0.96)
def of_a_plain_dtype(failure: Failure) -> Hits:
    yield failure.hit(
        f"the dtype {failure.groups['came']} is not a quantized one: torch.quint8, torch.qint8 or torch.qint32"
    )


@pitfall.explains(
    r"zero_point (?P<zero>-?\d+) is (?P<side>above upper|below lower) bound", odds=0.96
)
def zero_beyond(failure: Failure) -> Hits:
    side = "above" if "above" in failure.groups["side"] else "below"
    yield failure.hit(
        f"the zero point {failure.groups['zero']} lies {side} the integers of the dtype: 0 to 255 for quint8, -128 to 127 for qint8"
    )


@pitfall.explains(
    r"length of scales must equal to channel, expected (?P<channels>\d+) got, (?P<came>\d+)",
    odds=0.96,
)
def scales_of_others(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(
        f"the tensor has {channels} channels along its axis, and there are {came} scales"
    )


@pitfall.explains(
    r"Channel axis out of range in per channel [\w ]{3,40}\. Got: (?P<axis>-?\d+)", odds=0.96
)
def no_such_axis(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tensor has no axis {failure.groups['axis']} to be quantized along: axes count from 0, not from the end"
    )


@pitfall.explains(
    r"Could not run '(?P<op>aten::(?:int_repr|qscheme|q_\w+))[\w.]*' with arguments from the 'CPU' backend",
    odds=0.97,
)
def asked_of_floats(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} is asked of a quantized tensor, and this one holds floats: torch.quantize_per_tensor makes one"
    )


pitfall.answers(
    {
        "empty_strided not supported on quantized tensors": "this operation does not know quantized tensors: x.dequantize() first",
        "Creation of quantized tensor requires quantized dtype": "a quantized tensor becomes one of floats by x.dequantize(), not by .to() or .float()",
        "number of elements in scales and zero_points must match": "there are as many zero points as scales, one of each for a channel",
        "`zero_point` must be between `quant_min` and `quant_max`": "zero_point lies between quant_min and quant_max",
        "`quant_min` should be less than or": "quant_min is the smaller one of quant_min and quant_max",
        "dimensions of scale and zero-point are not consistent with input tensor": "scale and zero point have one number for each channel along the axis",
        "Zero-point must be Int32": "zero points are whole numbers of int32: .int()",
        "rows in the packB should be equal to K": "the quantized layer takes another number of features than it gets: see x.shape",
        "Expected input data type QUInt8 but got": "what goes into a quantized layer is quint8, its weights are qint8: torch.quint8 for the input",
        "Input shape must be `(N, C, H, W)`": "a quantized convolution takes a batch alone: x.unsqueeze(0)",
        "Default Observer only works for": "an observer notes a range for a dtype of 4 to 32 bits, quint8 or qint8 as a rule: no int64, no float32",
        "quantization range must include 0": "zero is kept exactly: quant_min is 0 or less, quant_max 0 or more",
    },
    odds=0.96,
)
