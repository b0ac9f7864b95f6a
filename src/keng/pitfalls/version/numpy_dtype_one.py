r"""A library counts on a field of length 1 being a single value.

In the description of a NumPy type `("x", np.uint8, 1)` once meant one byte. Since NumPy 1.17 it warned
that it will be taken for an array of length 1, as every other number is, and newer NumPy takes it so.
The warning comes from an old library, most often TensorFlow or TensorBoard, not from your own code.

Cure: update that library. Where the line is your own, leave the 1 out for a single value, or write
`(1,)` for an array of one.

Bad:

```python
import warnings

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pixel = np.dtype([("red", np.uint8, 1), ("green", np.uint8, 1)])
```

Proof:

```python
assert pixel["red"].shape == (1,)
```

Good:

```python
import numpy as np

pixel = np.dtype([("red", np.uint8), ("green", np.uint8)])
assert pixel["red"].shape == ()
```

Message (NumPy 1.17):

```text
/usr/lib/python3.6/site-packages/tensorflow/python/framework/dtypes.py:516: FutureWarning: Passing (type, 1) or '1type' as a synonym of type is deprecated; in a future version of numpy, it will be understood as (type, (1,)) / '(1,)type'.
  _np_qint8 = np.dtype([("qint8", np.int8, 1)])
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")

LIBRARY = re.compile(r"(?:site|dist)-packages[/\\](\w{1,60})")


@pitfall.explains(r"Passing \(type, 1\) or '1type' as a synonym of type is deprecated", odds=0.95)
def warned_of_a_length_of_one(failure: Failure) -> Hits:
    found = LIBRARY.search(failure.message)
    whose = f"`{found[1]}`" if found else "an old library"
    yield failure.hit(f"{whose} describes a type in a way that NumPy changed: update it")
