r"""One of the libraries of cuDNN is not found.

cuDNN is a set of libraries that load each other by name, at the first convolution and not at the import. Where another copy of its entry was loaded first (that
of a toolkit, of TensorFlow or ONNX Runtime, or of `LD_LIBRARY_PATH`), or where a file is missing, the other parts are not found beside it. cuDNN 8 under Windows
needs zlib too, as `zlibwapi.dll`.

Cure: unset `LD_LIBRARY_PATH` and take CUDA's folders off `PATH`, as PyTorch brings its own; `pip install --force-reinstall torch`; import
torch before the other library.

Bad:

```python
import torch

y = torch.nn.Conv2d(3, 8, 3)(torch.ones(1, 3, 8, 8))
```

Good:

```python
import torch

print(torch.backends.cudnn.version())
```

Message (torch 1.13, Windows; `cudnn_ops_infer64_8.dll`):

```text
Could not load library cudnn_ops_infer64_8.dll. Error code 126
Please make sure cudnn_ops_infer64_8.dll is in your library path!
```

Message (cuDNN 8, Windows; `which wants zlibwapi.dll`):

```text
Could not locate zlibwapi.dll. Please make sure it is in your library path!
```

Message (cuDNN 9; `libcudnn_ops.so.9.1.0`):

```text
Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, libcudnn_ops.so}
Invalid handle. Cannot load symbol cudnnCreateTensorDescriptor
```

Message (cuDNN 9, torch 2.4 to 2.13; `one cuDNN`):

```text
RuntimeError: CUDNN_BACKEND_TENSOR_DESCRIPTOR cudnnFinalize failed cudnn_status: CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a broken cuDNN")


@pitfall.explains(
    r"Could not (?:load library|locate) (?P<library>(?:cudnn|cublas|nvrtc|zlibwapi)[\w-]*\.dll)",
    r"Unable to load any of \{(?P<library>libcudnn[\w.]+)",
    odds=0.93,
)
def part_of_cudnn_not_found(failure: Failure) -> Hits:
    if failure.groups["library"] == "zlibwapi.dll":
        yield failure.hit(
            "a cuDNN 8 of the system was loaded, which wants zlibwapi.dll: torch's own alone, none on PATH; or PATH with torch\\lib, where that file lies"
        )
        return
    yield failure.hit(
        f"cuDNN does not find its part {failure.groups['library']}: another copy of cuDNN was loaded first, or this one is not whole; "
        "unset LD_LIBRARY_PATH, or pip install --force-reinstall torch"
    )


PARTS = "a part of cuDNN is not found, or is of another version: one cuDNN alone, torch's own, and none on LD_LIBRARY_PATH"
pitfall.answers({"CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED": PARTS}, odds=0.95)
