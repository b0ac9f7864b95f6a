r"""NumPy 2 is installed beside a PyTorch that was compiled for NumPy 1.

PyTorch was compiled against NumPy 1 up to version 2.2; compiled so, it cannot use NumPy 2. It warns at its import
and goes on without NumPy, so that `tensor.numpy()` and `torch.from_numpy` fail later. Other packages that
were compiled for NumPy 1 fail in the same words.

Cure: `pip install "numpy<2"`, or a PyTorch from 2.3 on.

Message (torch 2.2 with NumPy 2, a warning):

```text
UserWarning: Failed to initialize NumPy: _ARRAY_API not found (Triggered internally at ../torch/csrc/utils/tensor_numpy.cpp:84.)
```

Message (any package; `newer release of it`):

```text
A module that was compiled using NumPy 1.x cannot be run in NumPy 2.1.0 as it may crash. To support both 1.x and 2.x versions of NumPy, modules must be compiled with NumPy 2.0.
```

Machine (`torch 2.2.1+cu121 was compiled for NumPy 1`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.2.1+cu121'\ncuda: Optional[str] = '12.1'\n"
"/env/site-packages/numpy-2.1.0.dist-info/METADATA" = "Name: numpy\n"
```

Sound (a newer PyTorch):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.3.0+cu121'\ncuda: Optional[str] = '12.1'\n"
"/env/site-packages/numpy-2.1.0.dist-info/METADATA" = "Name: numpy\n"
```

Sound (an older NumPy):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.2.1+cu121'\ncuda: Optional[str] = '12.1'\n"
"/env/site-packages/numpy-1.26.4.dist-info/METADATA" = "Name: numpy\n"
```

Message (another package; `cv2 was compiled for NumPy 1`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 3, in <module>
    import cv2
  File "/env/lib/python3.10/site-packages/cv2/__init__.py", line 181, in <module>
    bootstrap()
AttributeError: _ARRAY_API not found
```

Message (torch 2.2 with NumPy 2, the first array; `is not installed, or is 2`):

```text
RuntimeError: Numpy is not available
```

Message (torch 2.2 with NumPy 2, a number of NumPy's):

```text
RuntimeError: Could not infer dtype of numpy.float32
```

Message (torch 1.0 to 2.2 with NumPy 2; `NumPy`):

```text
TypeError: expected np.ndarray (got numpy.ndarray)
```

Message (torch 0.4 to 1.13, of one's own build; `build again`):

```text
RuntimeError: PyTorch was compiled without NumPy support
```

Message (NumPy 2, given a tensor of torch 2.1):

```text
ValueError: object __array__ method not producing an array
```
"""

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.explain.advice.arrays import compiled_for_one
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"\b_ARRAY_API not found",
    r"compiled using NumPy 1\.x cannot be run in NumPy (?P<there>[\d.]+\d)",
    r"Numpy is not available",
    r"Could not infer dtype of numpy\.\w+",
    r"object __array__ method not producing an array",
    odds=0.95,
)
def compiled_for_numpy_one(failure: Failure) -> Hits:
    yield failure.hit(compiled_for_one(failure))


@pitfall.probes
def older_than_numpy_two(machine: Machine) -> Hits:
    torch, numpy = machine.torch, machine.packages.get("numpy")
    if torch is None or numpy is None or not numbers(torch.version):
        return
    if numbers(torch.version) < (2, 3) and numbers(numpy.version) >= (2,):
        yield machine.hit(
            f"torch {torch.version} was compiled for NumPy 1, and NumPy {numpy.version} is installed: "
            "tensors and arrays cannot be exchanged",
            "pip install 'numpy<2'",
            {torch.file: torch.version, numpy.info: numpy.version},
        )


@pitfall.explains(r"expected np\.ndarray \(got numpy\.ndarray\)", odds=0.97)
def array_that_is_none(failure: Failure) -> Hits:
    yield failure.hit(
        "torch does not know this NumPy's arrays: pip install 'numpy<2', or a newer torch, then restart the kernel of a notebook"
    )


@pitfall.explains(r"PyTorch was compiled without NumPy support", odds=0.95)
def built_without(failure: Failure) -> Hits:
    yield failure.hit(
        "this PyTorch was built where no NumPy was found, or a broken one is imported: a published wheel in a fresh "
        "environment, or NumPy first and build again"
    )
