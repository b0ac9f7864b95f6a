r"""ONNX Runtime does not reach the card, or is not told to.

`onnxruntime` has no CUDA, `onnxruntime-gpu` has; where both are installed they write over each other. The one with CUDA brings none of NVIDIA's
libraries: it looks for the CUDA and cuDNN that it was built for, and falls back to the processor with a line in the log when one of
them, or its folder, is missing. Since 1.9 a build for several providers wants to be told which.

Cure: `pip uninstall onnxruntime onnxruntime-gpu`, then `onnxruntime-gpu` alone, of a release for the CUDA of your PyTorch; `import torch` first,
whose libraries are then loaded, or `onnxruntime.preload_dlls()`; `providers=["CUDAExecutionProvider", "CPUExecutionProvider"]`, and
look at `session.get_providers()`.

Bad:

```python
import onnxruntime

session = onnxruntime.InferenceSession("model.onnx", providers=["CUDAExecutionProvider"])
```

Good:

```python
import torch
import onnxruntime

print(torch.version.cuda, onnxruntime.get_available_providers())
```

Message (ONNX Runtime 1.15; `import torch`):

```text
import torch
import onnxruntime
ort_session = onnxruntime.InferenceSession(save_path, providers=['CUDAExecutionProvider'])
[W:onnxruntime:Default, onnxruntime_pybind_state.cc:640 CreateExecutionProviderInstance] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html#requirements to ensure all dependencies are met.
```

Message (ONNX Runtime 1.15, Windows; `import torch`):

```text
  File "C:\env\lib\site-packages\torch\onnx\_internal\exporter\_onnx_program.py", line 50, in _ort_session_initializer
    return ort.InferenceSession(
RuntimeError: D:\a\_work\1\s\onnxruntime\python\onnxruntime_pybind_state.cc:743 onnxruntime::python::CreateExecutionProviderInstance CUDA_PATH is set but CUDA wasn't able to be loaded. Please install the correct version of CUDA and cuDNN as mentioned in the GPU requirements page
```

Message (ONNX Runtime 1.9 to 1.32; `onnxruntime-gpu`):

```text
torch.onnx.export(model, x, "m.onnx")
UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names.Available providers: 'AzureExecutionProvider, CPUExecutionProvider'
```

Message (ONNX Runtime 1.9 and later; `providers`):

```text
torch.onnx.export(model, x, "m.onnx")
ValueError: This ORT build has ['TensorrtExecutionProvider', 'CUDAExecutionProvider', 'CPUExecutionProvider'] enabled. Since ORT 1.9, you are required to explicitly set the providers parameter when instantiating InferenceSession.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="onnxruntime-gpu")


@pitfall.explains(
    r"Failed to create CUDAExecutionProvider",
    r"CUDA_PATH is set but CUDA wasn't able to be loaded",
    odds=0.93,
)
def not_loaded(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            "CUDA and cuDNN of the versions that this onnxruntime-gpu wants are not found: `import torch` before it, or onnxruntime.preload_dlls()"
        )


@pitfall.explains(r"required to explicitly set the providers parameter when", odds=0.95)
def not_told(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            'providers=["CUDAExecutionProvider", "CPUExecutionProvider"] is to be given'
        )


@pitfall.explains(
    r"Specified provider '(?P<name>(?:CUDA|Tensorrt)ExecutionProvider)' is not in available",
    odds=0.95,
)
def built_without(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            f"this build has no {failure.groups['name']}: uninstall onnxruntime, which hides it, then install onnxruntime-gpu again"
        )
