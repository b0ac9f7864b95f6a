r"""A package that is wanted beside PyTorch is not installed.

Some functions are a thin layer over another package, which is no dependency of torch: `torch.cuda.utilization()`, `temperature()`, `power_draw()` and `list_gpu_processes()` ask the driver
through `pynvml`, which is in the package `nvidia-ml-py`; `torch.load` of a `.safetensors` file needs `safetensors`. Classes of Transformers ask as late for
`sentencepiece`, `torchvision` or `timm`, and the code that a model brings for what its authors used. Libraries over PyTorch come by none of each other's
installations: a web UI or a notebook runs another Python than the one that they were installed for. A folder or file `pynvml.py` of one's own, or a package of that
name that does not fit, hides the right one.

Cure: install the package that the error names with the Python that runs the program: `python -m pip install nvidia-ml-py`, `safetensors`; up to torch 2.8 the error names the module,
`pynvml`.

Bad:

```python
import sys

sys.modules["pynvml"] = None  # as where it is not installed
import torch

busy = torch.cuda.utilization()  # seen: `nvidia-ml-py`
```

Good:

```python
import importlib.util

import torch

known = torch.cuda.is_available() and importlib.util.find_spec("pynvml")
busy = torch.cuda.utilization() if known else None
```

Message (torchtext 0.12 and later; `pip install torchdata`):

```text
ModuleNotFoundError: Package `torchdata` not found. Please install following instructions at https://github.com/pytorch/data
```

Message (torch 2.4 to 2.8; `nvidia-ml-py`):

```text
ModuleNotFoundError: pynvml does not seem to be installed or it can't be imported.
```

Message (torch 1.13; `nvidia-ml-py`):

```text
ModuleNotFoundError: pynvml module not found, please install pynvml
```

Message (torch 2.13; `safetensors`):

```text
RuntimeError: Attempting to load a safetensors file but safetensors is not installed. Please install safetensors with: pip install safetensors
```

Message (torch 2.13 with ROCm; `amdsmi`):

```text
ModuleNotFoundError: amdsmi does not seem to be installed or it can't be imported.
```

Message (Horovod; `HOROVOD_WITH_PYTORCH`):

```text
ImportError: Extension horovod.torch has not been built: /env/lib/python3.8/site-packages/horovod/torch/mpi_lib/_mpi_lib.so not found
If this is not expected, reinstall Horovod with HOROVOD_WITH_PYTORCH=1 to debug the build error.
```

Message (torch 2.13; `pyzes`):

```text
ImportError: pyzes is required; install it with 'pip install pyzes'.
```

Message (torch 2.13; `tabulate`):

```text
  File "train.py", line 14, in <module>
    with FlopCounterMode(model) as counter:
  File "/env/lib/python3.11/site-packages/torch/utils/flop_counter.py", line 716, in get_table
    import tabulate
ModuleNotFoundError: No module named 'tabulate'
```

Message (transformers 4; `sentencepiece`):

```text
ImportError:
LlamaTokenizer requires the SentencePiece library but it was not found in your environment. Checkout the instructions on the
installation page of its repo: https://github.com/google/sentencepiece#installation and follow the ones
that match your environment. Please note that you may need to restart your runtime after installation.
```

Message (transformers 4.26 to 5; `flash_attn`):

```text
ImportError: This modeling file requires the following packages that were not found in your environment: flash_attn. Run `pip install flash_attn`
```

Message (transformers 4; `auto-awq`):

```text
ImportError: Loading an AWQ quantized model requires auto-awq library (`pip install autoawq`)
```

Message (transformers 4 and 5; `ffmpeg`):

```text
ValueError: ffmpeg was not found but is required to load audio files from filename
```

Message (an extension of a web UI; `pip install diffusers`):

```text
ModuleNotFoundError: No module named 'diffusers'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<name>nvidia-ml-py|pynvml|amdsmi) (?:does not seem to be installed or it can't be imported|module not found, please install)",
    r"load a safetensors file but (?P<name>safetensors) is not installed",
    r"(?P<name>pyzes) is required; install it",
    odds=0.96,
)
def not_installed(failure: Failure) -> Hits:
    name = failure.groups["name"].replace("pynvml", "nvidia-ml-py")
    where = "from ROCm's folder" if name == "amdsmi" else "with the Python that runs this"
    yield failure.hit(f"torch asks {name}, which is not installed or hidden: install it {where}")


PACKAGES = {
    "z3": "z3-solver",
    "etcd": "python-etcd",
    "cuda": "cuda-python",
    "pynvml": "nvidia-ml-py",
}


@pitfall.explains(r"No module named '(?P<name>(?!torch)\w{2,40})", odds=0.85)
def asked_by_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    line = failure.frames[-1].text if failure.frames else ""
    if "-packages/torch/" in failure.raised_in and line.startswith(
        (f"import {name}", f"from {name}")
    ):
        says = f"torch asks {PACKAGES.get(name, name)}, which is not installed or hidden: install it with the Python that runs this"
        yield failure.hit(says)


@pitfall.explains(
    r"No module named '?(?P<name>transformers|diffusers|accelerate|peft|trl|timm|torchmetrics|pytorch_lightning|lightning|sentence_transformers|kornia)(?![\w.])",
    odds=0.9,
)
def library_over_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = f"`{name}` is not installed for the Python that runs this: python -m pip install {name.replace('_', '-')}, with the one of the program or web UI, then restart"
    yield failure.hit(says, sure=bool(failure.frames))


pitfall.answers(
    {
        "ffmpeg was not found but is required to load audio": "the program ffmpeg is missing, which pip does not bring: conda install ffmpeg, or apt install ffmpeg; or the samples as an array, read by soundfile",
        "Package `torchdata` not found": "the datasets of torchtext read through torchdata from 0.12 on: pip install torchdata, of the release that belongs to this torch",
        "Extension horovod.torch has not been built": "Horovod was built where PyTorch was not, or was another: HOROVOD_WITH_PYTORCH=1 pip install --no-cache-dir --force-reinstall horovod, after torch",
    },
    odds=0.95,
)


LIBRARIES = {"PIL": "pillow", "PyAv": "av", "OpenCV": "opencv-python"}


@pitfall.explains(
    r"(?P<who>\w{2,80}) requires the (?:🤗 )?(?P<name>(?!PyTorch|TensorFlow|FLAX|Flax|JAX|DeepSpeed)[\w.-]{2,30}) library,? but it was not found in your environment",
    odds=0.95,
)
def asked_by_transformers(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    package = LIBRARIES.get(name, name.lower())
    yield failure.hit(
        f"{who} asks {package}, which this Python does not have, or had not when the kernel began: python -m pip install {package}, then restart"
    )


@pitfall.explains(
    r"(?P<who>Loading an? \w{2,20} quantized model|Using `\w{2,20}` quantization) requires (?P<names>(?!accelerate|Accelerate|an? )[\w.>=-]{2,40})",
    r"This modeling file requires the following packages that were not found in your environment: (?P<names>[\w, .-]{2,200}?)(?:\. Run|$)",
    odds=0.95,
)
def asked_by_a_models_code(failure: Failure) -> Hits:
    names, who = failure.groups["names"].rstrip(".:"), failure.groups.get("who")
    if who:
        yield failure.hit(
            f"the weights are packed by a method whose kernels are in {names}, which is missing: install it with the Python that runs this, then restart"
        )
        return
    flash = " (for a card alone: without one, a newer revision of the model)"
    yield failure.hit(
        f"the code that the model brings imports {names}{flash if 'flash_attn' in names else ''}: install it with the Python that runs this, then restart"
    )
