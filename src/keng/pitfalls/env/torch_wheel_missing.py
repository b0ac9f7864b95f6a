r"""No wheel of PyTorch fits this Python or system.

A release has wheels for some Pythons only, as 2.13 for 3.10 and newer, and old releases have none for new Pythons: those for
3.11 begin with 1.13 (under Windows with 2.0), for 3.12 with 2.2, for 3.13 with 2.5, for 3.14 with 2.9. There is none for a Python
of 32 bits, and since 2.3 none for Macs of Intel; builds such as `+cu118` lie on PyTorch's own index, not on PyPI. `from
versions: none`, or a list that ends at `0.1.2.post2`, means that nothing fits. The package is called `torch`; `pytorch`
on PyPI is a sign to turn back.

Cure: a Python of 64 bits that the release has wheels for, or a newer release; for builds with a `+`, the
`--index-url` that pytorch.org names; `pip debug --verbose` tells which tags are taken.

Bad:

```python
import subprocess
import sys

pip = [sys.executable, "-m", "pip", "install"]
subprocess.run([*pip, "torch==0.4.0"], check=True)
```

Good:

```python
import struct
import sys

print(sys.version_info[:2], struct.calcsize("P") * 8)  # compare with the release's page
```

Message (pip):

```text
ERROR: Could not find a version that satisfies the requirement torch (from versions: none)
ERROR: No matching distribution found for torch
```

Message (pip; `torch==1.5.0+cpu`):

```text
ERROR: No matching distribution found for torch==1.5.0+cpu
```

Message (pip; `cp37-cp37m-win_amd64`):

```text
ERROR: torch-1.4.0-cp37-cp37m-win_amd64.whl is not a supported wheel on this platform.
```

Message (pip, of the other name; `called torch`):

```text
Exception: You tried to install "pytorch". The package named for PyTorch is "torch"
```

Message (uv):

```text
  Because torch==2.2.0 has no wheels with a matching Python version tag (e.g., `cp313`), we can conclude that your requirements are unsatisfiable.
```

Message (stable-diffusion-webui, with a Python too new for the version):

```text
RuntimeError: Couldn't install torch.
Command: "python.exe" -m pip install torch==2.1.2 torchvision==0.16.2
Error code: 1
```

Message (pip, where nothing newer fits; `0.1.2`):

```text
  Downloading torch-0.1.2.post2.tar.gz (128kB)
    error: package directory 'torch/cuda' does not exist
```

Message (pip; `3.7.3`):

```text
ERROR: Package 'torch' requires a different Python: 3.7.3 not in '>=3.8.0'
```

Message (pip, under Windows; `for Linux alone`):

```text
ERROR: Could not find a version that satisfies the requirement triton==2.0.0 (from versions: none)
```

Message (pip, of a list written on Linux; `leaves it out`):

```text
ERROR: No matching distribution found for nvidia-cublas-cu11==11.10.3.66
```

Message (uv, of an index with builds for one system; `torch==2.1.1`):

```text
  x No solution found when resolving dependencies:
  `-> Because torch==2.1.1 is unusable because no wheels are available with a matching platform and you require torch==2.1.1, we can conclude that the requirements are unsatisfiable.
```

Message (uv, on a Mac of Intel; `Macs of Intel`):

```text
  × No solution found when resolving dependencies:
  ╰─▶ Because torch==2.6.0 has no wheels with a matching platform tag (e.g., `macosx_15_0_x86_64`) and you require torch==2.6.0, we can conclude that your requirements are unsatisfiable.
```

Message (uv; `builds with a`):

```text
  x No solution found when resolving dependencies for split (platform_machine == 'AMD64' and sys_platform == 'win32'):
  `-> Because torch{sys_platform == 'win32'}==2.7.1+cu128 has no `platform_machine == 'AMD64' and sys_platform ==
      'win32'`-compatible wheels and only the following versions of torch{sys_platform == 'win32'} are available:
```

Message (pip, of the right index; `its list shows which`):

```text
Looking in indexes: https://download.pytorch.org/whl/cu117
ERROR: Could not find a version that satisfies the requirement torch==1.12.1+cu117 (from versions: none)
```

Message (pip, of a variable; `not replaced`):

```text
ERROR: No matching distribution found for torch==2.1.2+${DEVICE}
```

Message (uv; `torch==2.6.0+cpu`):

```text
  ╰─▶ Because there is no version of torch{platform_machine == 'x86_64'}==2.6.0+cpu and your project depends on torch{platform_machine == 'x86_64'}==2.6.0+cpu,
      we can conclude that your project's requirements are unsatisfiable.
```

Message (uv; `torchaudio`):

```text
  ╰─▶ Because only the following versions of torchaudio are available:
          torchaudio<=2.0.0
          torchaudio>2.2.0
```

Message (pip; `from 2.0.0 to 2.4.1`):

```text
ERROR: Could not find a version that satisfies the requirement torch==1.13.1 (from versions: 2.0.0, 2.0.1, 2.1.0, 2.4.0, 2.4.1)
ERROR: No matching distribution found for torch==1.13.1
```

Message (pip, with the Python told beside it; `from 1.13.0 on`):

```text
I have Python 3.11 and pip install -r requirements.txt says
ERROR: Could not find a version that satisfies the requirement torch==1.11.0+cu113 (from versions: none)
```

Message (uv; `up to 2.4.1`):

```text
  Because torch==2.6.0 has no wheels with a matching Python version tag (e.g., `cp38`), we can conclude that your requirements are unsatisfiable.
```

Message (pip, of another build; `+cu117, +cu118`):

```text
ERROR: Could not find a version that satisfies the requirement torch==2.0.1+cu116 (from versions: 2.0.0, 2.0.0+cu117, 2.0.1, 2.0.1+cu117, 2.0.1+cu118)
```

Message (stable-diffusion-webui; `up to 2.4.1`):

```text
Python 3.8.10 (tags/v3.8.10:3d8993a, May  3 2021, 11:48:03) [MSC v.1928 64 bit (AMD64)]
RuntimeError: Couldn't install torch.
Command: "C:\sd\venv\Scripts\python.exe" -m pip install torch==2.7.0 torchvision==0.22.0
```

Message (uv, from a lock; `torch==2.3.0`):

```text
error: Distribution `torch==2.3.0 @ registry+https://pypi.org/simple` can't be installed because it doesn't have a source distribution or wheel for the current platform
```

Message (poetry; `torch 2.7.1`):

```text
  - Installing torch (2.7.1): Failed

    | Unable to find installation candidates for torch (2.7.1)
    |
    | This is likely not a Poetry issue.
```

Message (poetry; `2.5.1+cu124`):

```text
Package torch (2.5.1+cu124) not found.
```

Message (poetry; `>2.0.0`):

```text
Because no versions of torch match >2.0.0,<2.1.0
 and project depends on torch (^2.0.0), version solving failed.
```

Message (uv 0.6; `explicit = true`):

```text
error: Distribution `markupsafe==3.0.2 @ registry+https://download.pytorch.org/whl/cu126` can't be installed because it doesn't have a source distribution or wheel for the current platform
```

Message (uv 0.4; `explicit = true`):

```text
      hint: An index URL (https://download.pytorch.org/whl/cu118) could not be queried due to a lack of valid authentication credentials (403 Forbidden).
```

Message (pip, of what is compiled against PyTorch; `cp312`):

```text
ERROR: flash_attn-2.7.2.post1+cu12torch2.5cxx11abiFALSE-cp310-cp310-linux_x86_64.whl is not a supported wheel on this platform.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.wheels import there_are, why_none

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a Python that no wheel fits")


NAMED = (
    r"\b(?P<name>torch\w{0,10}|triton|xformers|nvidia-[\w-]{3,40})(?:\{[^}]{1,120}\})?"
    r"(?P<version>[=<>~!]=?[\w.+]{1,30}(?:,[=<>~!]=?[\w.+]{1,30}){0,3})?"
)
"""A package and its versions, as uv tells them."""


@pitfall.explains(
    r"(?:No matching distribution found for|satisfies the requirement|for the requirement) "
    r"(?P<name>(?:py)?torch(?:vision|audio|text|data|ao)?|triton|xformers|nvidia-\w+-cu\d\d)"
    r"(?P<version>[=<>~!]=?[\w.+]{1,30})?(?![\w-])",
    rf"{NAMED} (?:is unusable because|has) no wheels (?:are available )?with a matching",
    rf"{NAMED} has no `[^`]{{1,200}}`-compatible wheels",
    rf"(?:[Tt]here is no (?:available )?version (?:of|for)|[Oo]nly the following versions of) {NAMED}(?=[\s,])",
    rf"Distribution `{NAMED} @ [^`]{{1,300}}` can't be installed because it doesn't have",
    r"(?:Package|no versions of) (?P<name>torch\w{0,10}) (?:match )?\(?(?P<version>[=<>~!\d][\w.+]{1,30})(?:\) not found|,)",
    r"Unable to find installation candidates for (?P<name>torch\w{0,10}|triton|nvidia-[\w-]{3,40}) \((?P<version>[\w.+]{1,30})\)",
    odds=0.95,
)
def nothing_fits(failure: Failure) -> Hits:
    name, version = (failure.groups.get(part, "") for part in ("name", "version"))
    says = why_none(f"{failure.message} {failure.told}", name, version)
    of = f"{name}{version}" if version[:1] in "=<>~!" else f"{name} {version}"
    yield failure.hit(f"there is no wheel of {of} for this Python and system: {says}")


@pitfall.explains(
    r"\b(?:torch\w*|flash_attn|xformers|triton\w*|mamba_ssm|causal_conv1d|bitsandbytes|pytorch3d|natten|detectron2|mmcv\w*)-[\w.+%]{3,80}-(?P<tag>cp[\w.-]{2,80})\.whl is not a supported",
    odds=0.95,
)
def of_another_python(failure: Failure) -> Hits:
    says = f"the wheel is for {failure.groups['tag']}, and this Python or system is another one"
    yield failure.hit(f"{says}: the wheel with the tag of yours (cp312 for 3.12)")


FIRST_UPLOAD = (
    "pip took 0.1.2, an empty package, as no wheel fits this Python and processor: another Python, or the "
    "maker's wheel for the board"
)
pitfall.answers(
    {
        "torch-0.1.2.": FIRST_UPLOAD,
        "package directory 'torch/cuda' does not exist": FIRST_UPLOAD,
        'You tried to install "pytorch"': "the package is called torch: pip install torch",
    },
    odds=0.9,
)


@pitfall.explains(
    r"Couldn't install torch\b(?:.{0,400}? -m pip install torch(?P<version>==[\w.+]{1,30}))?",
    odds=0.9,
)
def told_by_a_web_ui(failure: Failure) -> Hits:
    there = there_are(f"{failure.message} {failure.told}", "torch", failure.groups["version"])
    why = there or "see its lines above"
    yield failure.hit(f"pip found no wheel of that version for this Python: {why}")


@pitfall.explains(
    r"Distribution `(?!torch)[\w-]{2,40}==\S{1,30} @ registry\+https://download\.pytorch\.org/",
    r"index URL \(https://download\.pytorch\.org\S{0,80}\) could not be queried",
    odds=0.9,
)
def all_from_the_index_of_torch(failure: Failure) -> Hits:
    yield failure.hit(
        "uv takes all from PyTorch's index: explicit = true for it, or --torch-backend"
    )


@pitfall.explains(
    r"Package 'torch\w*' requires a different Python: (?P<own>[\d.]+) not in '(?P<wanted>[^']{1,40})'",
    odds=0.95,
)
def python_not_taken(failure: Failure) -> Hits:
    own, wanted = failure.groups["own"], failure.groups["wanted"]
    yield failure.hit(
        f"this Python is {own}, and the release wants {wanted}: another Python, or another release"
    )
