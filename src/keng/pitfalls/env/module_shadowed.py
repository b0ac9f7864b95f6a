r"""A file of one's own has the name of a module.

Python looks into the script's folder first. A file `torch.py` there, or a folder `torch` of a copied source tree,
is imported instead of PyTorch; one called `random.py` or `copy.py` is imported by PyTorch itself in place of
Python's own. What is reported is a missing attribute, or a circular import. A package of PyPI may have the name of another project: `clip` and `whisper` there are
not OpenAI's, and TorchCRF is not pytorch-crf.

Cure: give the file another name, and delete its `__pycache__`; uninstall the package that was not meant.

Message (any version, a file called torch.py):

```text
AttributeError: partially initialized module 'torch' has no attribute 'nn' (most likely due to a circular import)
```

Machine (`torch.py` in the folder of the program):

```toml
here = "/work/project"
[files]
"/work/project/torch.py" = "import torch"
"/work/project/train.py" = "import torch"
```

Machine (PyTorch's own source, not compiled: `/work/pytorch/torch`):

```toml
here = "/work/pytorch"
[files]
"/work/pytorch/torch/__init__.py" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
```

Machine (not sure, as PyTorch may not need it: `random.py`):

```toml
here = "/work/project"
[files]
"/work/project/random.py" = ""
```

Sound (built in place, and found by another way than the path):

```toml
here = "/work/vision"
[files]
"/work/vision/torchvision/__init__.py" = ""
"/work/vision/torchvision/version.py" = "__version__ = '0.24.0a0'"
```

Sound (a folder without code; a name that only begins so; a build in place):

```toml
here = "/work/pytorch"
path = ["/work/pytorch"]
[files]
"/work/pytorch/torch/__init__.py" = ""
"/work/pytorch/torch/version.py" = "__version__ = '2.13.0a0'\ncuda: Optional[str] = None\n"
"/work/pytorch/torch_utils.py" = ""
"/work/pytorch/numpy/data.bin" = ""
```

Message (an import that broke off, in a notebook; `broke off before`):

```text
  File "/env/lib/python3.10/site-packages/torch/functional.py", line 8, in <module>
    import torch.nn.functional as F
AttributeError: partially initialized module 'torch' has no attribute '_C' (most likely due to a circular import)
```

Message (the package clip of PyPI; `openai-clip`):

```text
AttributeError: module 'clip' has no attribute 'load'
```

Message (the package whisper of PyPI; `openai-whisper`):

```text
AttributeError: module 'whisper' has no attribute 'load_model'
```

Message (the package TorchCRF, in place of pytorch-crf; `pytorch-crf`):

```text
  File "bert_ner_model.py", line 49, in __init__
    self.crf = CRF(args.num_tags, batch_first=True)
TypeError: __init__() got an unexpected keyword argument 'batch_first'
```

Message (any version, a folder torch; `folder`):

```text
AttributeError: module 'torch' has no attribute '__version__'
```

Message (any version, a file called torch.py; `torch.py`):

```text
ModuleNotFoundError: No module named 'torch.nn'; 'torch' is not a package
```

Message (any version, a folder torch; `folder`):

```text
ImportError: cannot import name 'DataLoader' from 'torch.utils.data' (/home/u/project/torch/utils/data.py)
```

Message (any version, a file called torch.py; `torch.py`):

```text
ImportError: cannot import name 'nn' from partially initialized module 'torch' (most likely due to a circular import) (C:\Users\u\torch.py)
```

Message (any version, a file called tensorboard.py; `tensorboard.py`):

```text
Traceback (most recent call last):
  File "tensorboard.py", line 2, in <module>
    from torch.utils.tensorboard import SummaryWriter
  File "/env/lib/python3.7/site-packages/torch/utils/tensorboard/__init__.py", line 2, in <module>
    from tensorboard.summary.writer.record_writer import RecordWriter  # noqa F401
  File "/home/u/project/tensorboard.py", line 2, in <module>
    from torch.utils.tensorboard import SummaryWriter
ImportError: cannot import name 'SummaryWriter' from 'torch.utils.tensorboard' (/env/lib/python3.7/site-packages/torch/utils/tensorboard/__init__.py)
```

Message (Python 3.13, a file called random.py; `random.py`):

```text
  File "/env/lib/python3.13/site-packages/torch/utils/data/sampler.py", line 9, in shuffled
    return random.shuffle(items)
AttributeError: module 'random' has no attribute 'shuffle' (consider renaming '/home/u/project/random.py' since it has the same name as the standard library module named 'random' and prevents importing that standard library module)
```

Message (Python 2, a file called torch.py; `torch.py`):

```text
  File "/home/u/project/utils/torch.py", line 3, in <module>
    from torch.autograd import Variable
ImportError: No module named autograd
```

Message (torch 1.1 to 1.3, a file called tensorboard.py; `tensorboard.py`):

```text
  File "/home/u/project/tensorboard.py", line 2, in <module>
    from torch.utils.tensorboard import SummaryWriter
  File "/env/lib/python3.7/site-packages/torch/utils/tensorboard/__init__.py", line 4, in <module>
    raise ImportError('TensorBoard logging requires TensorBoard with Python summary writer installed. '
ImportError: TensorBoard logging requires TensorBoard with Python summary writer installed. This should be available in 1.14 or above.
```
"""

import os
import re

from keng.env.machine import Machine
from keng.explain.advice.libraries import broken_off
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.pypi_name_clashes import CRF, NAMESAKES

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("torch-library-not-loaded", "removed-module")

OURS = ("torch", "torchvision", "torchaudio", "numpy")
PYTHONS = tuple("random copy queue types enum inspect logging warnings typing math".split())
"""Modules of Python that PyTorch imports, and that are good names for a script."""
OWN = "a file `{0}.py` of your own is imported in place of {0}: rename it"


@pitfall.explains(
    r"partially initialized module '(?P<name>torch\w*|numpy)' has no attribute (?!'extension')",
    r"from partially initialized module '(?P<name>torch\w*|numpy)' \(most likely .{0,300}?[\\/](?!__init__)\w+\.py\)",
    r"; '(?P<name>torch|torchvision|torchaudio)' is not a package",
    rf"(?:cannot import name '\w+' from (?:partially initialized module )?|module )'(?P<name>{'|'.join(PYTHONS)})'.{{0,90}}?(?:\(|renaming ')"
    r"(?:/|[A-Z]:)(?!.{0,200}?[\\/](?:torch|python\d[\d.]*|[Ll]ib)[\\/]\w+\.py)",
    odds=0.95,
)
def a_file_of_that_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if broke := broken_off(failure, name):
        yield failure.hit(broke)
    elif name not in PYTHONS or failure.beside_torch:
        yield failure.hit(OWN.format(name))


pitfall.answers(NAMESAKES, odds=0.95)


@pitfall.explains(r"__init__\(\) got an unexpected keyword argument 'batch_first'", odds=0.95)
def another_crf(failure: Failure) -> Hits:
    if "CRF(" in (failure.line or failure.around) or "CRF.__" in failure.message:
        yield failure.hit(CRF)


@pitfall.probes
def file_with_a_modules_name(machine: Machine) -> Hits:
    here = machine.here.rstrip("/")
    for name in (*OURS, *PYTHONS):
        for path in (f"{here}/{name}.py", f"{here}/{name}/__init__.py"):
            file = path.removesuffix("/__init__.py")
            # A source tree that was built in place is what its makers want to import.
            built = machine.exists(f"{file}/version.py")
            if not machine.exists(path) or built or here in machine.path:
                continue
            is_source = path != file and machine.exists(f"{here}/setup.py")
            away = f"mv {file} {here}/my_{os.path.basename(file)}"
            cure = f"cd {os.path.dirname(here)}" if is_source else away
            says = f"{file} is imported by programs of this folder in place of {name}"
            yield machine.hit(says, cure, {path: "there"}, sure=name in OURS)


@pitfall.explains(
    r"module 'torch' has no attribute '(?:__version__|Tensor|nn|cuda|load|save|zeros|ones|from_numpy|FloatTensor|randn|rand)'",
    r"cannot import name '\w+' from 'torch(?:\.nn|\.utils\.data)?' \((?!.{0,300}?(?:site|dist)-packages)(?:/|[A-Z]:).{1,300}?\.py\)",
    odds=0.95,
)
def a_folder_of_that_name(failure: Failure) -> Hits:
    says = "that is no PyTorch, as each has it: a folder or file `torch` of your own, or what an uninstallation left; print(torch.__path__)"
    yield failure.hit(says)


@pitfall.explains(
    r"cannot import name '\w+' from (?:partially initialized module )?'torch",
    r"TensorBoard logging requires TensorBoard|^No module named \w",
    odds=0.97,
)
def met_by_an_import_of_another(failure: Failure) -> Hits:
    """An installed file imports a module, and a file of the user's answers to its name; under Python 2 a
    file does so that has the name itself."""
    own = {frame.posix.rpartition("/")[2] for frame in failure.frames if frame.user}
    asks = [
        (f, found[1])
        for f in failure.frames
        if (found := re.match(r"(?:from|import) (\w+)", f.text))
    ]
    old = failure.message.startswith("No module")
    asked = [name for f, name in asks if (name in OURS if old else not f.user)]
    asked += ["tensorboard"] if failure.message.startswith("TensorBoard") else []
    for name in [name for name in asked if f"{name}.py" in own][:1]:
        yield failure.hit(OWN.format(name))
