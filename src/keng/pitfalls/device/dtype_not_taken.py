r"""A function gets a dtype that it does not take.

Some functions look at the dtype before they compute: labels for `one_hot` are int64, conditions and masks are bool,
spreads, norms and decompositions are of floating-point numbers, and those of `torch.linalg` of float32 at least. They
convert nothing by themselves.

Cure: convert where the value is handed over: `labels.long()`, `mask.bool()`, `x.float()`.

Bad (labels):

```python
import torch
import torch.nn.functional as F

coded = F.one_hot(torch.tensor([0.0, 2.0]))  # seen: `long()`
```

Bad (a condition):

```python
import torch

mask = torch.tensor([1, 0])
kept = torch.where(mask, torch.ones(2), torch.zeros(2))  # seen: `bool()`
```

Bad (half precision):

```python
import torch

inverse = torch.linalg.inv(torch.eye(2).half())  # seen: `float32`
```

Bad (counts of what is not counted):

```python
import torch

counts = torch.bincount(torch.tensor([-1, 2]))  # seen: `from 0 on`
```

Bad (a factor of floats):

```python
import torch

x = torch.arange(3)
x.add_(x, alpha=0.5)  # seen: `x.float()`
```

Good:

```python
import torch
import torch.nn.functional as F

coded = F.one_hot(torch.tensor([0.0, 2.0]).long())
kept = torch.where(torch.tensor([1, 0]).bool(), torch.ones(2), torch.zeros(2))
inverse = torch.linalg.inv(torch.eye(2)).half()
```

Message (torch 1.4 to 1.9, on a card; `targets.long()`):

```text
RuntimeError: Expected tensor for argument #2 'targets' to have one of the following scalar types: Long, Int; but got torch.cuda.FloatTensor instead (while checking arguments for ctc_loss_gpu)
```

Message (torch 2.13; `uint16`):

```text
RuntimeError: Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Float
```

Message (an older torch; `//`):

```text
RuntimeError: Integer division of tensors using div or / is no longer supported, and in a future release div will perform true division as in Python 3. Use true_divide or floor_divide (// in Python) instead.
```

Message (torch before 1.5; `bool()`):

```text
RuntimeError: all only supports torch.uint8 dtype
```

Message (torch 1.10 to 2.2; `torch.bfloat16`):

```text
RuntimeError: Currently, AutocastCPU only support Bfloat16 as the autocast_cpu_dtype
```

Message (torch 1.4; `backward`):

```text
RuntimeError: Expected isFloatingType(grads[i].scalar_type()) to be true, but got false.
```

Message (torch 2.13; `topk`):

```text
RuntimeError: topk does not support bool dtypes on CPU
```

Message (torchvision 0.9 to 0.18; `images of bytes`):

```text
ValueError: Tensor uint8 expected, got torch.float32
```

Message (torchvision 0.9 and later; `images of bytes`):

```text
TypeError: Only torch.uint8 image tensors are supported, but found torch.float32
```

Message (torch 2.13; `x.float()`):

```text
RuntimeError: linalg.pinv(BFloat16{[3, 4]}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types
```

Message (torch 2.13; `to draw into`):

```text
RuntimeError: Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified Byte
```

Message (torch 2.13):

```text
RuntimeError: rfftn expects a real-valued input tensor, but got ComplexFloat
```

Message (torch 2.13):

```text
RuntimeError: MKL FFT doesn't support tensors of type: Half
```

Message (torch 2.13):

```text
RuntimeError: hann_window expects floating point dtypes, got: TensorOptions(dtype=long int, device=cpu, layout=Strided (default), requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))
```

Message (torch 2.13):

```text
RuntimeError: prelu: Type promoting not supported. Got Long and Float
```

Message (torch 2.13):

```text
RuntimeError: cannot do hardtanh on an unsigned type with negative limits
```

Message (torch 2.13):

```text
RuntimeError: linalg.vector_norm: dtype should be floating point or complex, but got Long
```

Message (torch 2.13):

```text
RuntimeError: norm(): input dtype should be either floating point or complex. Got Long instead.
```

Message (torch 2.13):

```text
RuntimeError: nanmean(): expected input to have floating point or complex dtype but got Long
```

Message (torch 2.13):

```text
RuntimeError: get_mkldnn_dtype: unsupported data type
```

Message (torch 0.4 to 1.7; `x > 0`):

```text
RuntimeError: Expected condition to have ScalarType Byte, but got ScalarType Long
```

Message (torch 0.1 to 0.3; `(x > 0) & (y > 0)`):

```text
RuntimeError: logical operations are supported on ByteTensors only
```

Message (torch 0.3 to 1.9, CUDA; `cuDNN`):

```text
RuntimeError: TensorDescriptor only supports double, float and half tensors
```

Message (torch 0.3 to 1.7, CUDA; `multiplies`):

```text
RuntimeError: addmm for CUDA tensors only supports floating-point types. Try converting the tensors with .float() at /pytorch/aten/src/THC/generic/THCTensorMathBlas.cu:395
```

Message (torch 0.4 to 1.7; `index.long()`):

```text
RuntimeError: index_copy_(): Expected LongTensor for index
```

Message (PointNet++ and others that are compiled; `int32 here`):

```text
RuntimeError: idx must be an int tensor
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

BYTES = "drawing and the bytewise transforms of torchvision take images of bytes: (x * 255).to(torch.uint8), or v2.ToDtype(torch.uint8, scale=True)"
CURES = {
    "Tensor uint8 expected, got ": BYTES,
    "Only torch.uint8 image tensors are ": BYTES,
    "The image dtype must be uint8 or float, got ": BYTES,
    "one_hot is only applicable to index tensor": "one_hot takes int64: labels.long()",
    "where expected condition to be a boolean tensor": "a condition is bool: x > 0, or x.bool()",
    "Expected condition to have ScalarType Byte": "a condition is what a comparison gives, as x > 0: uint8 before torch 1.2, and bool since",
    "logical operations are supported on ByteTensors only": "&, | and ~ of torch before 0.4 are for what a comparison gives: (x > 0) & (y > 0)",
    "TensorDescriptor only supports double, float and half": "cuDNN of this version takes float32, float64 and float16, and whole numbers or bfloat16 come: x.float()",
    "for CUDA tensors only supports floating-point types": "a card multiplies matrices of floats only: x.float()",
    "'targets' to have one of the following scalar types: Long, Int": "ctc_loss takes targets that are numbers of classes: targets.long()",
    "index_copy_(): Expected LongTensor for index": "indices are int64: index.long()",
    "std and var only support floating point": "a spread is one of floats: x.float()",
    "quantile() input tensor must be either float or double": "quantile() takes float32 or float64: x.float()",
    "Low precision dtypes not supported": "torch.linalg takes float32 or float64: x.float(), and back after it",
    "Expected a floating point or complex tensor as input": "this is computed of floats only: x.float()",
    "only supports floating-point dtypes": "this is computed of floats only: x.float()",
    "only support floating point and complex dtypes": "this is computed of floats only: x.float()",
    "expected common dtype to be floating point": "this is computed of floats only: x.float()",
    "only implemented on integer and Boolean-type tensors": "~ is for bool and whole numbers: x.bool(), or 1 - x for floats",
    "Integers to negative integer powers": "a whole number has no negative power: x.float() first",
    "requires gradients must be floating point": "what takes gradients holds floats: x.float()",
    "only floating-point types are supported as the default type": "the default dtype is torch.float32 or another of floats, the dtype itself and not its name; whole tensors get dtype=",
    "Expected both inputs to be Half, Float or Double tensors": "both parts of a complex number are floats: x.float()",
    "view_as_real is only supported for complex": "the tensor is real already",
    "expects a real input tensor, but got": "this transform is for real numbers: torch.fft.fft takes complex ones",
    "requires a floating point input type. Use torch.iinfo": "finfo is for floats: torch.iinfo for whole numbers",
    "requires an integer input type. Use torch.finfo": "iinfo is for whole numbers: torch.finfo for floats",
    "Promotion for uint16, uint32, uint64 types is not supported": "uint16, uint32 and uint64 are not converted by themselves: x.to(torch.int64) first",
    "Promotion for Float8 Types is not supported": "float8 is not converted by itself: x.to(torch.float32) first",
    "only supports dimensions whose sizes are powers of two when computing in half": "transforms in float16 are for sizes "
    "2, 4, 8, ...: x.float()",
    "Integer division of tensors using div or /": "torch 1.5 and 1.6 do not divide whole numbers with /: a // b, or a.float() / b",
    "only supports torch.uint8 dtype": "older versions know all() and any() of masks alone: x.bool()",
    "argument alpha must not be a floating point number": "whole numbers are added with a factor of floats: x.float() first",
    "bincount only supports 1-d non-negative integral": "only whole numbers from 0 on, in one dimension, are counted: x[x >= 0] without the ignored (-1), .long().flatten()",
    "AutocastCPU only support Bfloat16": "autocast on the CPU takes torch.bfloat16 alone in this version: dtype=torch.bfloat16, or a "
    "newer PyTorch for float16",
    "Expected isFloatingType(grad": "gradients are floats, and what backward is given, or one's own function returns, holds whole numbers",
    "to have integral dtype but got": "weights that count are whole numbers: .long()",
    "to have floating point dtype but got": "weights that are no counts are floats: .float()",
    "expects float32 or float64 dtypes, got": "a window is of floats: dtype=torch.float32",
    "multinomial expects Long tensor out": "what is drawn are indices: out= an int64 tensor",
    "Quantize only works on Float Tensor": "only float32 is quantized: x.float()",
    "Boolean inputs not supported for relu": "relu has nothing to do with a mask: x.float() first",
    "Bool inputs not supported for hardtanh": "relu6 and hardtanh take numbers, not a mask: x.float() first",
    "Unsupported input type encountered for isin(): Bool": "isin() compares numbers, not masks: x.int()",
    "kl_div: Integral inputs not supported": "kl_div takes logarithms of probabilities, which are floats: F.log_softmax(x, dim=-1)",
    "This function doesn't handle types other than float and double": "this is computed of float32 or float64: x.float()",
    "Unknown Complex ScalarType for": "whole numbers have no complex ones beside them: x.float() first",
    "expected a tensor of floating point or complex values": "stft takes a signal of floats: x.float() / 32768 for 16 bits of audio",
    "Unsupported dtype Half": "this transform knows no float16 on the CPU: x.float()",
    "Unsupported dtype BFloat16": "this transform knows no bfloat16: x.float()",
    "cov(): bool dtype is not supported": "a covariance is one of numbers: x.float()",
    "does not support uint8 input": "differences below zero do not fit into uint8: x.float()",
    "The `+` operator, on a bool tensor is not supported": "a mask has no sign: x.int() first",
    "may not be a boolean tensor": "this is computed of numbers, not of a mask: x.float()",
    "expected 'indices' to be integer dtype": "indices are whole numbers: index.long()",
    "expected a tensor with 2 or more dimensions of float, double": "torch.linalg takes float32 or float64: x.float(), and back after it",
    "continuous probability distribution. dtype must be a floating point": "what is drawn are floats: torch.empty(n) to draw into, or x.float() first",
    "expected input to have floating point or complex dtype": "this is computed of floats only: x.float()",
    "expects a complex output tensor, but got": "a transform gives complex numbers: out= of torch.complex64, or none",
    "is not implemented for tensors with non-complex dtypes": "the tensor is real, and has no other part",
    "Expected theta to have floating point type": "affine_grid takes matrices of floats: theta.float()",
    "rfftn expects a real-valued input tensor": "this transform is for real numbers: torch.fft.fftn takes complex ones",
    "MKL FFT doesn't support tensors of type": "a transform on the CPU is of float32 or float64: x.float()",
    "expects floating point dtypes, got: TensorOptions": "a window is of floats: dtype=torch.float32",
    "prelu: Type promoting not supported": "PReLU computes in the dtype of its weight: x.to(weight.dtype)",
    "cannot do hardtanh on an unsigned type": "bytes have no numbers below zero: x.float() first",
    "dtype should be floating point or complex": "a norm is one of floats: dtype=torch.float32",
    "input dtype should be either floating point or complex": "this is computed of floats only: x.float()",
    " must be an int tensor": "the compiled part takes int32 here: x.int()",
    "get_mkldnn_dtype: unsupported data type": "oneDNN computes no float64 here: state and input in the float32 of the weights",
}


pitfall.answers(CURES, odds=0.93)


@pitfall.explains(r"\b(?P<op>\w{2,40})(?:\(\):)? does not support (?P<came>bool)\b", odds=0.95)
def of_masks(failure: Failure) -> Hits:
    yield failure.hit(f"{failure.groups['op']} does not compare masks: x.int() first")
