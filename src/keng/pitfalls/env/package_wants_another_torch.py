r"""Packages want PyTorch in versions that exclude each other.

Many packages pin PyTorch: torchvision to one release, xformers and vLLM too. pip tells of it either before it installs, when no choice
satisfies all, or afterwards, when it has replaced what another one wants. Conda tells that its channels have no build
for this Python, CUDA and version together; `pytorch` has not been built for conda's `pytorch` channel since 2.6.

Cure: name all of them in one `pip install`, so that one choice is made; loosen the pin that is not needed; a fresh environment;
from conda to pip, or to the channel conda-forge.

Bad:

```python
import subprocess
import sys

pip = [sys.executable, "-m", "pip", "install"]
subprocess.run([*pip, "torch==2.0.0", "torchvision==0.14.0"], check=True)
```

Good:

```python
import subprocess
import sys

pip = [sys.executable, "-m", "pip", "install"]
print([*pip, "torch==2.0.0", "torchvision==0.15.1"])
```

Message (pip, afterwards; `torchvision 0.15.2`):

```text
ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This behaviour is the source of the following dependency conflicts.
torchvision 0.15.2 requires torch==2.0.1, but you have torch 2.1.0 which is incompatible.
```

Message (pip, before; `torchvision==0.14.0`):

```text
ERROR: Cannot install torch==2.0.0 and torchvision==0.14.0 because these package versions have conflicting dependencies.
```

Message (conda; `pytorch`):

```text
PackagesNotFoundError: The following packages are not available from current channels:

  - pytorch==1.7.1
  - cudatoolkit=11.0
```

Message (conda):

```text
UnsatisfiableError: The following specifications were found to be incompatible with the existing python installation in your environment:

Specifications:

  - pytorch -> python[version='>=3.6,<3.7.0a0']
```

Message (conda with libmamba):

```text
LibMambaUnsatisfiableError: Encountered problems while solving:
  - package pytorch-2.0.1-py3.10_cuda11.7_cudnn8.5.0_0 requires pytorch-cuda >=11.6,<11.9, but none of the providers can be installed
```

Message (pip before 20.3; `torch==1.8.1`):

```text
ERROR: torchvision 0.9.1 has requirement torch==1.8.1, but you'll have torch 1.11.0 which is incompatible.
```

Message (uv; `torch==2.0.1`):

```text
  × No solution found when resolving dependencies:
  ╰─▶ Because torchvision==0.15.2 depends on torch==2.0.1 and you require torch==2.1.0, we can conclude that your requirements and torchvision==0.15.2 are incompatible.
```

Message (poetry; `torchaudio (2.0.2)`):

```text
Because torchaudio (2.0.2) depends on torch (2.0.1)
 and project depends on torch (2.1.0), torchaudio is forbidden.
So, because project depends on torchaudio (2.0.2), version solving failed.
```

Message (mamba, and conda since 23.10; `pytorch 1.13.1`):

```text
The following packages are incompatible
├─ pin-1 is installable and it requires
│  └─ python 3.12.* , which can be installed;
└─ pytorch 1.13.1  is not installable because there are no viable options
```

Message (conda, an environment's file of another system; `pytorch==1.7.1`):

```text
ResolvePackageNotFound:
  - pytorch==1.7.1=py3.8_cuda11.0.221_cudnn8.0.5_0
  - cudatoolkit=11.0
```

Message (conda that finds no end; `cudatoolkit=11.6`):

```text
$ conda install pytorch torchvision torchaudio cudatoolkit=11.6 -c pytorch -c conda-forge
Collecting package metadata (current_repodata.json): done
Solving environment: failed with initial frozen solve. Retrying with flexible solve.
Collecting package metadata (repodata.json): done
Solving environment: /
```

Message (DGL 2; `wheel for this one`):

```text
FileNotFoundError: Cannot find DGL C++ graphbolt library at /opt/conda/lib/python3.11/site-packages/dgl/graphbolt/libgraphbolt_pytorch_2.5.1.so
```

Message (torchdata 0.10 and later; `torchdata<0.10`):

```text
ModuleNotFoundError: No module named 'torchdata.datapipes'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="packages that exclude each other")


@pitfall.explains(
    r"(?P<who>[\w.-]{2,60} [\d.]{1,20}\S{0,20}) (?:requires|has requirement) torch(?P<wanted>[=<>~!]{1,2}[\w.+<>=!,]{1,60}), but you(?:'ll)? have torch (?P<own>[\w.+]{1,40}) "
    r"which is incompatible",
    odds=0.95,
)
def replaced_afterwards(failure: Failure) -> Hits:
    who, wanted, own = (failure.groups[name] for name in ("who", "wanted", "own"))
    yield failure.hit(
        f"{who} wants torch{wanted}, and {own.rstrip('.')} is installed now: name both in one pip install"
    )


@pitfall.explains(
    r"Cannot install (?P<what>(?:[^\n]{0,200}?\b)?(?:torch|torchvision|torchaudio)\b[^\n]{0,200}?) because these package versions have conflicting",
    r"Because (?P<what>\S{2,80} depends on torch[=<>~!]\S{1,60}? and [^\n]{2,160}? (?:on|require) torch[=<>~!][\w.+<>=!,]{1,59}\w)",
    r"Because (?P<what>\S{2,80} \([^()]{1,60}\) depends on torch \([^()]{1,60}\)\s.{1,120}?depends on torch \([^()]{1,60}\))",
    odds=0.95,
)
def exclude_each_other(failure: Failure) -> Hits:
    yield failure.hit(f"no version of torch satisfies {failure.groups['what']}: loosen a pin")


@pitfall.explains(
    r"(?:not available from|Dependency missing in) current (?:\S{1,20} )?channels:\s[^;]{0,300}?- (?P<what>py[tT]orch[\w=.*<>-]{0,40})",
    r"ResolvePackageNotFound:[^:]{0,300}?- (?P<what>py[tT]orch[\w=.*<>-]{0,60})",
    r"(?P<what>pytorch[ \w.=*<>|,-]{0,80}?) {1,3}(?:is not installable because there are no viable|does not exist \(perhaps a)",
    r"UnsatisfiableError: [^;]{1,900}?\b(?P<what>pytorch[\w.=-]{0,80})",
    r"conda install [^;]{0,200}?\b(?P<what>py[tT]orch[\w =.-]{0,120}?) (?:-c|-y|Collecting) [^;]{0,600}?Solving environment: (?:failed|unsuccessful|[|/-])",
    odds=0.9,
)
def no_build_of_conda(failure: Failure) -> Hits:
    yield failure.hit(
        f"conda's channels have no {failure.groups['what']} for this Python and CUDA: pip install torch in a fresh environment, or "
        "conda-forge"
    )


DGL = "DGL holds a library for each PyTorch that it was built for, and none for this one: a torch of those (their names end in it), or DGL's wheel for this one"
PIPES = "torchdata 0.10 and later have no DataPipes: pip install 'torchdata<0.10', or a newer release of the package that asks for them"
pitfall.answers(
    {
        "Cannot find DGL C++ ": DGL,
        "No module named 'torchdata.datapipes": PIPES,
        "No module named 'torchdata.dataloader2": PIPES,
    },
    odds=0.95,
)
