r"""A package was compiled for another NumPy than the one that is installed.

Compiled packages know the size and the interface version of NumPy's types as they were when they were
built. One built for a newer NumPy does not load with an older one, and many built for NumPy 1 not with
NumPy 2. The package named in the traceback is the one to be changed, not PyTorch.

Cure: `pip install --force-reinstall --no-cache-dir` that package, so that it fits the NumPy which is
installed; or let one `pip install` choose both.

Bad:

```python
import numpy as np  # seen: a package compiled for another NumPy fails as it is imported

print(np.dtype("float32").itemsize)
```

Good:

```python
import numpy as np

print(np.__version__)
```

Message (an extension for NumPy 1; `an older NumPy`):

```text
ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 88 from C header, got 96 from PyObject
```

Message (NumPy, replaced while a notebook ran; `restart the session`):

```text
  File "/usr/local/lib/python3.11/dist-packages/numpy/random/_pickle.py", line 1, in <module>
    from .mtrand import RandomState
ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject
```

Message (any package, without the numbers; `reinstall it`):

```text
RuntimeWarning: numpy.ufunc size changed, may indicate binary incompatibility.
```

Message (an extension for a newer NumPy; `a newer NumPy`):

```text
ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject
```

Message (an extension for a newer NumPy, before NumPy 2):

```text
RuntimeError: module compiled against API version 0x10 but this version of numpy is 0xe
```

Message (NumPy 1 and 2; `NumPy`):

```text
ImportError: numpy.core.multiarray failed to import
```
"""

from keng.explain.advice.arrays import of_another_numpy
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a package for another NumPy")


@pitfall.explains(
    r"numpy\.(?:dtype|ufunc|ndarray) size changed, may indicate binary incompatibility(?:\. Expected (?P<wanted>\d{1,4}) from C header, got (?P<there>\d{1,4}) from PyObject)?",
    r"module compiled against (?:ABI|API) version (?P<wanted>0x[0-9a-f]{1,8}) but this version of numpy is (?P<there>0x[0-9a-f]{1,8})",
    odds=0.9,
)
def another_package(failure: Failure) -> Hits:
    yield failure.hit(of_another_numpy(failure))


@pitfall.explains(r"numpy\.core\.multiarray failed to import", odds=0.85)
def not_loaded_at_all(failure: Failure) -> Hits:
    yield failure.hit(
        "a package was compiled for another NumPy: bring both to versions that belong together"
    )
