r"""A compiled extension lacks the function that is called.

What `PYBIND11_MODULE` names is all that a compiled module has. It lacks a function where it was built from other sources than the Python around it, left over from an older build, built without
CUDA, so that the kernels were left out, or where a folder of sources of that name stands before it on the path and is imported as an empty package.

Cure: `print(module.__file__)`: None or a folder means that it is not the compiled one, and another working folder helps; else delete `build/` and the old `.so`, then
`pip install -v --no-build-isolation .` of the sources that call it, with `CUDA_HOME` set.

Bad:

```python
import torch
from torch.utils.cpp_extension import load_inline

source = "torch::Tensor forward(torch::Tensor x) { return x.sigmoid(); }"
smooth_cpp = load_inline("smooth_cpp", source, functions=["forward"])
y = smooth_cpp.forward(torch.ones(2))
grad = smooth_cpp.backward(torch.ones(2))
```

Good:

```python
import torch
from torch.utils.cpp_extension import load_inline

source = "torch::Tensor forward(torch::Tensor x) { return x.sigmoid(); }"
smooth_cpp = load_inline("smooth_cpp", source, functions=["forward"])
y = smooth_cpp.forward(torch.ones(2))
```

Message (torch 0.4 to 2.13; `depthwise`):

```text
AttributeError: module 'depthwise' has no attribute 'forward'
```

Message (torch 1.0 to 2.13; `furthest_point_sampling_wrapper`):

```text
AttributeError: module 'pointnet2_cuda' has no attribute 'furthest_point_sampling_wrapper'
```

Message (torch 1.7 to 2.13; `without CUDA`):

```text
AttributeError: module 'torchsparse.backend' has no attribute 'hash_cuda'
```

Sources: https://github.com/pytorch/extension-cpp/issues/70, https://github.com/MCG-NJU/LinK/issues/8
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a compiler")


@pitfall.explains(
    r"(?:^|: )module '(?P<home>(?!torch[.'])[\w.]{0,60}(?:_cuda|_cpp|_gpu|_ext|\._C))' has no attribute '(?P<name>\w{1,80})'",
    r"(?:^|: )module '(?P<home>(?!(?:torch|tensorflow|keras|jax|cupy|cv2|faiss|numba|models?|net\w*|main|train|utils)[.'])[\w.]{1,60})' has no attribute '(?P<name>\w{1,60}_(?:cuda|gpu)|(?:forward|backward|fwd|bwd))'",
    odds=0.85,
)
def not_in_the_compiled_module(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    kernels = ", or without CUDA" if name.endswith(("cuda", "gpu")) else ""
    compiled = kernels or home.endswith(("_cuda", "_cpp", "_gpu", "_ext", "_C"))
    yield failure.hit(
        f"the compiled `{home}` has no `{name}`: built from other sources than what calls it{kernels}, or a folder of that name is imported in its place",
        sure=bool(compiled),  # a file of Python's may be asked for a forward, too
    )
