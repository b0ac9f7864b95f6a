r"""`bitsandbytes` finds no library of its own for this CUDA.

The package brings one compiled library for each version of CUDA, and chooses by that of PyTorch. Where none fits,
the older ones (up to 0.42) load a library for the CPU that lacks most functions, and fail later with `NoneType` or an
undefined symbol; the newer ones say which file they looked for. `BNB_CUDA_VERSION` overrides the choice, and is
often left over from another machine. Weights of 8 and 4 bits are made when a layer is moved to the card: one that stays on the CPU has none.

Cure: `pip install -U bitsandbytes` beside a PyTorch with CUDA, unset `BNB_CUDA_VERSION`, then `python -m bitsandbytes`,
which tells what it has found. Without an NVIDIA card there is no 8-bit and no 4-bit in the older versions.

Bad:

```python
import bitsandbytes

layer = bitsandbytes.nn.Linear8bitLt(4, 4).cuda()
```

Good:

```python
import torch

layer = torch.nn.Linear(4, 4)
if torch.cuda.is_available():
    import bitsandbytes

    layer = bitsandbytes.nn.Linear8bitLt(4, 4).cuda()
```

Message (bitsandbytes 0.35 to 0.42):

```text
RuntimeError: CUDA Setup failed despite GPU being available. Please run the following command to get more information: python -m bitsandbytes
```

Message (bitsandbytes 0.35 to 0.42, an older library than the CUDA):

```text
CUDA SETUP: Required library version not found: libbitsandbytes_cuda116.so. Maybe you need to compile it from source?
```

Message (bitsandbytes 0.35 to 0.42, the library for the CPU; `cget_col_row_stats`):

```text
AttributeError: /env/lib/python3.10/site-packages/bitsandbytes/libbitsandbytes_cpu.so: undefined symbol: cget_col_row_stats
```

Message (bitsandbytes 0.41 to 0.42, no library at all; `cquantize_blockwise_fp16_nf4`):

```text
AttributeError: 'NoneType' object has no attribute 'cquantize_blockwise_fp16_nf4'
```

Message (bitsandbytes 0.35 to 0.44):

```text
UserWarning: The installed version of bitsandbytes was compiled without GPU support. 8-bit optimizers, 8-bit multiplication, and GPU quantization are unavailable.
```

Message (bitsandbytes 0.43 to 0.49):

```text
Could not find the bitsandbytes CUDA binary at PosixPath('/env/bitsandbytes/libbitsandbytes_cuda124.so')
Could not load bitsandbytes native library: /env/bitsandbytes/libbitsandbytes_cpu.so: cannot open shared object file: No such file or directory
```

Message (bitsandbytes 0.45 to 0.49; `cuda128`):

```text
RuntimeError: Configured CUDA binary not found at /env/bitsandbytes/libbitsandbytes_cuda128.so
```

Message (bitsandbytes 0.39 to 0.42, its self-test; `find`):

```text
  File "/env/lib/python3.10/site-packages/bitsandbytes/__main__.py", line 37, in find_file_recursive
    raise RuntimeError('Something when wrong when trying to find file. Maybe you do not have a linux system?')
RuntimeError: Something when wrong when trying to find file. Maybe you do not have a linux system?
```

Message (transformers with an old or no bitsandbytes; `-U bitsandbytes`):

```text
ImportError: Using `bitsandbytes` 8-bit quantization requires the latest version of bitsandbytes: `pip install -U bitsandbytes`
```

Message (transformers, on a machine without a card):

```text
RuntimeError: No GPU found. A GPU is needed for quantization.
```

Message (bitsandbytes 0.37 to 0.41; `str2optimizer32bit`):

```text
NameError: name 'str2optimizer32bit' is not defined
```

Message (vLLM and SGLang):

```text
ImportError: Please install bitsandbytes>=0.44.0 via `pip install bitsandbytes>=0.44.0` to use bitsandbytes quantizer.
```

Message (bitsandbytes 0.37 to 0.43; `named symbol not found`):

```text
Error named symbol not found at line 528 in file /mmfs1/gscratch/zlab/timdettmers/git/bitsandbytes/csrc/ops.cu
```

Message (bitsandbytes 0.39 and later; `.cuda()`):

```text
UserWarning: FP4 quantization state not initialized. Please call .cuda() or .to(device) on the LinearFP4 layer first.
```

Message (bitsandbytes 0.37 to 0.44; `device_map`):

```text
  File "/env/lib/python3.10/site-packages/bitsandbytes/autograd/_functions.py", line 397, in forward
    state.CxB, state.SB = F.transform(state.CB, to_order=formatB)
  File "/env/lib/python3.10/site-packages/bitsandbytes/functional.py", line 1698, in transform
    prev_device = pre_call(A.device)
AttributeError: 'NoneType' object has no attribute 'device'
```

Message (bitsandbytes 0.37 to 0.44, told beside it; `device_map`):

```text
AttributeError: 'NoneType' object has no attribute 'device'

model = AutoModelForCausalLM.from_pretrained(name, load_in_8bit=True)
```

Message (transformers 5, bitsandbytes before 0.50; `too old`):

```text
TypeError: Params4bit.__new__() got an unexpected keyword argument '_is_hf_initialized'
```

Message (bitsandbytes; `SCB`):

```text
AttributeError: 'Parameter' object has no attribute 'SCB'
```

Message (transformers 4.31 to 5; `pip install -U bitsandbytes`):

```text
importlib.metadata.PackageNotFoundError: No package metadata was found for bitsandbytes
```

Message (bitsandbytes 0.43 and later, the library for the CPU; `cquantize_blockwise_fp16_nf4`):

```text
RuntimeError: Method 'cquantize_blockwise_fp16_nf4' not available in CPU-only version of bitsandbytes.
Reinstall with GPU support or use CUDA-enabled hardware.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="bitsandbytes and a card")


@pitfall.explains(
    r"CUDA Setup failed despite (?:CUDA|GPU) being available",
    r"Required library version not found: (?P<file>libbitsandbytes\w*\.\w+)",
    r"(?P<file>libbitsandbytes\w*\.(?:so|dll))\W.{0,20}?(?:undefined symbol: (?P<symbol>\w+)|cannot open shared)",
    r"Could not find the bitsandbytes \w+ binary at .{0,300}?(?P<file>libbitsandbytes\w*\.\w+)",
    r"Configured \w+ binary not found at \S{0,300}?(?P<file>libbitsandbytes\w*\.\w+)",
    odds=0.96,
)
def no_library_for_this_cuda(failure: Failure) -> Hits:
    file, symbol = (failure.groups.get(name) for name in ("file", "symbol"))
    looked = f" ({symbol or file})" if symbol or file else ""
    yield failure.hit(
        f"bitsandbytes has no library for this CUDA{looked}: pip install -U bitsandbytes, unset BNB_CUDA_VERSION, and "
        "see python -m bitsandbytes"
    )


@pitfall.explains(
    r"'NoneType' object has no attribute '(?P<symbol>c(?:quantize|dequantize|adam|get_|gemm|igemm|lion|percentile)\w*)'",
    r"bitsandbytes was compiled without GPU support",
    r"Method '(?P<symbol>\w{2,60})' not available in CPU-only version of bitsandbytes",
    r"name '(?P<symbol>str2optimizer\w+)' is not defined",
    odds=0.93,
)
def library_for_the_cpu(failure: Failure) -> Hits:
    symbol = failure.groups.get("symbol")
    lacks = f", which lacks {symbol}" if symbol else ""
    yield failure.hit(
        f"bitsandbytes has loaded its library for the CPU{lacks}: pip install -U bitsandbytes beside a PyTorch with CUDA"
    )


@pitfall.explains(
    r"No package metadata was found for bitsandbytes|Using `?bitsandbytes`? [\w-]{4,20} quantization requires|[Pp]lease install bitsandbytes>=",
    r"(?:Params4bit|Int8Params)\.__new__\(\) got an unexpected keyword|module 'bitsandbytes\.nn' has no attribute 'Linear",
    odds=0.95,
)
def too_old_or_missing(failure: Failure) -> Hits:
    yield failure.hit(
        "bitsandbytes is missing or too old, or PyTorch sees no card, which older transformers tell in the same words: pip install -U bitsandbytes accelerate, then restart"
    )


pitfall.answers(
    {
        "Something when wrong when trying to find file": "the self-test runs `find` below this folder, and that fails where a folder may not be read: start it in an empty one",
        "No GPU found. A GPU is needed for quantization": "quantization by bitsandbytes needs a card, and PyTorch sees none",
        "quantization state not initialized. Please call .cuda()": "a layer of 4 bits was never on the card, where its weights are packed: .cuda() after they are loaded, and no layer of it on the CPU or disk",
    },
    odds=0.93,
)


@pitfall.explains(
    r"Error (?P<what>named symbol not found|invalid device function|no kernel image is available\w*) at line \d{1,5} in file .{0,200}?bitsandbytes.{0,20}?ops\.cu",
    odds=0.93,
)
def no_code_for_the_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"the library of bitsandbytes has no code for one of the cards, or is for another CUDA ({failure.groups['what']}): pip install -U bitsandbytes, or build it for that card"
    )


@pitfall.explains(r"'NoneType' object has no attribute 'device'", odds=0.93)
def never_quantized(failure: Failure) -> Hits:
    told = re.search(r"\bint8\b|8[ -]?bit|bitsandbytes", f"{failure.message}\n{failure.around}")
    if "/bitsandbytes/" in failure.raised_in or (told and not failure.frames):
        yield failure.hit(
            "a layer of 8 bits was never on the card, where its weights are made: device_map={'': 0} while it is loaded, and no layer of it on the CPU or disk"
        )


@pitfall.explains(
    r"'Parameter' object has no attribute '(?P<name>S?CB|compress_statistics|quant_state)'",
    odds=0.93,
)
def weight_replaced(failure: Failure) -> Hits:
    yield failure.hit(
        f"a layer of bitsandbytes has a plain weight, without `{failure.groups['name']}`: tied to another one, offloaded or of another file; device_map={{'': 0}}, llm_int8_skip_modules=['lm_head'], newer releases"
    )
