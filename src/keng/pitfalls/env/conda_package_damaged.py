r"""Conda installs packages over each other, or a damaged one.

Conda keeps unpacked packages in `pkgs` and links their files into environments. Where a download or its unpacking broke off, where a file was edited
in an environment, or where Windows refused a long path, a package there is not what its list says: SafetyError, CondaVerificationError. Where packages of two channels bring the
same file, as `jpeg` of `defaults` and `libjpeg-turbo` of `pytorch`, the last one wins: ClobberError, often harmless, and a reason for odd import
errors later.

Cure: `conda clean --all`, or delete the folder in `pkgs` that is named, then install again, into a fresh environment and from one channel
(`conda-forge` alone), or `pip install torch` there. Under Windows switch long paths on, or use a short folder.

Bad:

```python
import subprocess

conda = ["conda", "install", "-c", "pytorch", "-c", "nvidia"]
subprocess.run([*conda, "pytorch", "torchvision", "pytorch-cuda=12.4"], check=True)
```

Good:

```python
import sys

print([sys.executable, "-m", "pip", "install", "torch", "torchvision"])
```

Message (conda; `libjpeg-turbo-2.0.0`):

```text
ClobberError: This transaction has incompatible packages due to a shared path.
  packages: defaults/linux-64::jpeg-9e-h5eee18b_3, pytorch/linux-64::libjpeg-turbo-2.0.0-h9bf148f_0
  path: 'bin/cjpeg'
```

Message (conda 4.5; `ninja-1.8.2`):

```text
$ conda install pytorch-nightly -c pytorch
ClobberError: The package 'defaults::ninja-1.8.2-py37h6bb024c_1' cannot be installed due to a
path collision for 'bin/ninja'.
This path already exists in the target prefix, and it won't be removed
by an uninstall action in this transaction.
```

Message (conda; `pytorch`):

```text
SafetyError: The package for pytorch located at /home/u/miniconda/pkgs/pytorch-2.4.1-py3.9_cuda12.4_cudnn9.1.0_0
appears to be corrupted. The path 'lib/python3.9/site-packages/torch/distributed/launch.py'
has an incorrect size.
  reported size: 7610 bytes
  actual size: 7634 bytes
```

Message (conda, Windows; `pytorch`):

```text
CondaVerificationError: The package for pytorch located at C:\installer_files\env\pkgs\pytorch-1.11.0-py3.8_cuda11.3_cudnn8_0
appears to be corrupted. The path 'Lib/site-packages/caffe2/python/serialized_test/data/operator_test/collect_and_distribute_fpn_rpn_proposals_op_test.test_collect_and_dist.zip'
specified in the package manifest cannot be found.
```

Message (conda; `403`):

```text
CondaHTTPError: HTTP 403 FORBIDDEN for url <https://conda.anaconda.org/pytorch/noarch/pytorch-mutex-1.0-cuda.tar.bz2>
Elapsed: 00:00.827471
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="conda")


@pitfall.explains(
    r"incompatible packages due to a shared path\.\s{1,6}packages: [^']{0,200}?(?P<what>pytorch\S{0,20}::[\w.-]{2,80})[^']{0,300}?path: '(?P<path>[^']{1,200})'",
    r"The package '(?P<what>[^'\n]{2,120})' cannot be installed due to a\spath collision for '(?P<path>[^']{1,200})'",
    odds=0.93,
)
def over_each_other(failure: Failure) -> Hits:
    what, path = failure.groups["what"].rpartition("::")[2], failure.groups["path"]
    if "torch" in failure.message or failure.beside_torch:
        yield failure.hit(
            f"{path} comes with {what} and with another package too, and the last one wins: a fresh environment from one channel, or pip"
        )


@pitfall.explains(
    r"The package for (?P<what>py[tT]orch\S{0,40}|torch\S{0,40}|cudatoolkit|cuda-\S{1,40}|mkl|magma\S{0,40}) located at \S{1,300}(?: \S{1,100}){0,4}\sappears to be corrupted",
    odds=0.95,
)
def not_as_listed(failure: Failure) -> Hits:
    yield failure.hit(
        f"the unpacked {failure.groups['what']} in conda's cache is damaged or was edited: conda clean --all, then install again"
    )


@pitfall.explains(
    r"HTTP (?P<code>\d{3}) [A-Z ]{2,40}? for url <https?://\S{0,80}?/(?:pytorch|nvidia|soumith)/\S{0,200}>",
    odds=0.93,
)
def channel_not_reached(failure: Failure) -> Hits:
    yield failure.hit(
        f"the channel answers {failure.groups['code']} or the connection broke: try again later, see proxy and mirror in .condarc, or pip install torch"
    )
