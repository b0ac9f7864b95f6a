r"""Transformers wants another version of a package that it stands on.

When it is imported, Transformers compares the packages that it stands on (`tokenizers`, `huggingface-hub`, `numpy`, `safetensors`, ...) with the range that this release takes. Another package that was installed later has
moved one of them, or Transformers was upgraded with `--no-deps`, or a notebook's kernel still has the former one. Where a package has no version at all, its folder of metadata in `site-packages` is
half there: conda and pip wrote over each other, or an installation broke off.

Cure: `pip install` with the very range that the error names, then restart the kernel; `pip check` tells who wants what; where two packages exclude each other, a Transformers of the other's time.

Bad:

```python
from transformers.utils.versions import require_version

require_version("numpy>=99.0", "To fix: pip install -r requirements.txt")  # seen: `numpy>=99.0`
```

Bad (a package that is not there):

```python
from transformers.utils.versions import require_version

require_version("a-package-of-none>=1.8.0")  # seen: `a-package-of-none>=1.8.0`
```

Good:

```python
from transformers.utils.versions import require_version

require_version("numpy>=1.17")
```

Message (transformers 4.34; `huggingface-hub>=0.16.4,<0.18`):

```text
ImportError: huggingface-hub>=0.16.4,<0.18 is required for a normal functioning of this module, but found huggingface-hub==0.23.0.
Try: pip install transformers -U or pip install -e '.[dev]' if you're working with git main
```

Message (transformers 4 and 5; `numpy`):

```text
ValueError: Unable to compare versions for numpy>=1.17: need=1.17 found=None. This is unusual. Consider reinstalling numpy.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"(?P<wanted>[A-Za-z][\w-]{1,40}[<>=!~]{1,2}[\w.,<>=!~]{1,60}) is required for a normal functioning of this module(?:, but found (?P<has>[\w-]{2,41}==[\w.+]{0,40}\w))?",
    odds=0.97,
)
def out_of_its_range(failure: Failure) -> Hits:
    wanted, has = failure.groups["wanted"], failure.groups["has"] or "another"
    yield failure.hit(
        f"{has} is installed, and this Transformers, or what asks by its words, takes {wanted}: pip install '{wanted}', then restart; where another "
        "package holds it there, a Transformers of that time"
    )


@pitfall.explains(
    r"The '(?P<wanted>[A-Za-z][\w.,<>=!~-]{1,100})' distribution was not found and is required by this application",
    odds=0.93,
)
def not_there(failure: Failure) -> Hits:
    wanted = failure.groups["wanted"]
    yield failure.hit(
        f"this Python has no {wanted}, or not its metadata: python -m pip install '{wanted}', then restart"
    )


@pitfall.explains(
    r"Unable to compare versions for (?P<wanted>[\w.,<>=!~-]{2,100}): need=\S{1,30} found=None",
    odds=0.95,
)
def without_a_version(failure: Failure) -> Hits:
    wanted = failure.groups["wanted"]
    yield failure.hit(
        f"the package is there and its metadata is not whole, as after conda and pip, or an installation that broke off: pip uninstall it until "
        f"nothing is left, then pip install '{wanted}'"
    )
