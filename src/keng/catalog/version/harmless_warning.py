r"""A warning tells of something that changes no result.

PyTorch says when a faster way is not taken or a part is new: a card has too few processors for one way of tuning, cuDNN's first plan failed and the next was
taken, a transformer layer does not use nested tensors, TF32 could be allowed. The numbers are right; at most it is slower.

Cure: nothing; `warnings.filterwarnings("ignore", message="enable_nested_tensor is True")` for that one alone; `torch.set_float32_matmul_precision("high")`
where the speed of TF32 is wanted and its shorter mantissa is no loss.

Bad (a layer that does not put the batch first):

```python
import warnings

from torch import nn

warnings.simplefilter("error")
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 1)  # seen: `nested tensors`
```

Good:

```python
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, batch_first=True), 1)
```

Message (torch 2.0 to 2.13; `max_autotune`):

```text
W0101 12:00:00.000000 1 torch/_inductor/utils.py:1137] [0/0] Not enough SMs to use max_autotune_gemm mode
```

Message (torch 2.0 to 2.13; `TF32`):

```text
UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication available but not enabled. Consider setting `torch.set_float32_matmul_precision('high')` for better performance.
```

Message (torch 2.3; `next plan`):

```text
UserWarning: Plan failed with a cudnnException: CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: cudnnFinalizeDescriptor Failed cudnn_status: CUDNN_STATUS_NOT_SUPPORTED (Triggered internally at ../aten/src/ATen/native/cudnn/Conv_v8.cpp:919.)
```

Message (torch 1.8 to 2.13; `may change`):

```text
UserWarning: Lazy modules are a new feature under heavy development so changes to the API or functionality can happen at any moment.
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")

MEANS = {
    "Not enough SMs to use max_autotune_gemm": "the card has too few processors for max_autotune of products: compiled without",
    "tensor cores for float32 matrix multiplication available but not enabled": "float32 products could be computed in TF32, "
    "faster and less exact; as it is they are exact",
    "Plan failed with a cudnnException": "a plan of cuDNN failed, and the next plan was taken: the result is right",
    "Online softmax is disabled on the fly": "the compiler takes another way for this softmax: the result is right",
    "enable_nested_tensor is True, but": "padding is not left out by nested tensors, as the layer does not allow for it: right, and a little slower",
    "azy modules are a new feature": "the interface of lazy layers may change; they work",
    "amed tensors and all their associated APIs are an experimental": "the interface of named tensors may change",
}


pitfall.answers(MEANS, odds=0.95)
