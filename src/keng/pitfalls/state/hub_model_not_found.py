r"""A model of the hub is not there under that name, or came damaged.

`torch.hub.load` fetches a repository, imports its `hubconf.py` and calls the function of the name given; the packages
that it lists must be installed. Files of weights carry the first digits of their hash in their name: a download that was broken off,
or a page of a proxy, has another one.

Cure: `torch.hub.list(repo)` for the names; install what is missing; delete the file from `torch.hub.get_dir() + "/checkpoints"` and load it
again; `force_reload=True` for an old copy of the repository.

Bad:

```python
import tempfile
from pathlib import Path

import torch

home = Path(tempfile.mkdtemp())
(home / "hubconf.py").write_text("def small():\n    return torch.nn.Linear(2, 2)\n")
model = torch.hub.load(str(home), "large", source="local")  # seen: `large`
```

Good:

```python
import tempfile
from pathlib import Path

import torch

home = Path(tempfile.mkdtemp())
(home / "hubconf.py").write_text("def small():\n    return 'a model'\n")
model = torch.hub.load(str(home), "small", source="local")
```

Message (torch 2.13; `timm`):

```text
RuntimeError: Missing dependencies: timm
```

Message (torch 1.0 to 2.13; `delete`):

```text
RuntimeError: invalid hash value (expected "0676ba61", got "d41d8cd98f00b204e9800998ecf8427e")
```

Message (timm; `resnet50d_typo`):

```text
RuntimeError: Unknown model (resnet50d_typo)
```

Message (timm; `vit_giant`):

```text
RuntimeError: No pretrained weights exist for vit_giant. Use `pretrained=False` for random init.
```

Message (torch 1.9 to 2.13; `local`):

```text
ValueError: Unknown source: "hub". Allowed values: "github" | "local".
```

Message (torch 1.10, a copy in the cache that is not whole; `force_reload`):

```text
FileNotFoundError: [Errno 2] No such file or directory: 'C:\\Users\\u/.cache\\torch\\hub\\ultralytics_yolov5_master\\hubconf.py'
```

Message (torch 1.12 to 2.13, where nobody can answer; `trust_repo`):

```text
  File "/env/lib/python3.11/site-packages/torch/hub.py", line 376, in _check_repo_is_trusted
    response = input(
EOFError: EOF when reading a line
```

Message (torch 1.2 to 2.13; `resnet18`):

```text
ValueError: Invalid input: model should be a string of function name
```

Message (torch 1.5 to 2.13; `several`):

```text
RuntimeError: Only one file(not dir) is allowed in the zipfile
```

Message (torch 1.2 to 2.13; `TORCH_HOME`):

```text
UserWarning: TORCH_HUB is deprecated, please use env TORCH_HOME instead
```

Message (torch 1.9 to 2.13; `source='local'`):

```text
Traceback (most recent call last):
  File "/home/u/detect.py", line 5, in <module>
    model = torch.hub.load("/home/u/yolov5-master", "custom", path="best.pt", source="local")
  File "/opt/conda/lib/python3.11/site-packages/torch/hub.py", line 672, in load
    model = _load_local(repo_or_dir, model, *args, **kwargs)
  File "/opt/conda/lib/python3.11/site-packages/torch/hub.py", line 699, in _load_local
    hub_module = _import_module(MODULE_HUBCONF, hubconf_path)
FileNotFoundError: [Errno 2] No such file or directory: '/home/u/yolov5-master/hubconf.py'
```

Message (timm 0.9 and 1; `augreg_in22k`):

```text
RuntimeError: Invalid pretrained tag (augreg_in22k) for vit_base_patch16_224.
```

Message (segmentation_models_pytorch 0.3 to 0.5; `resnet51`):

```text
KeyError: "Wrong encoder name `resnet51`, supported encoders: ['resnet18', 'resnet34', 'resnet50']"
```

Message (segmentation_models_pytorch 0.3 to 0.5; `noisy-student`):

```text
KeyError: 'Wrong pretrained weights `imagenet` for encoder `timm-efficientnet-l2`. Available options are: ['noisy-student', 'noisy-student-475']'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Cannot find callable (?P<name>[\w.-]+) in hubconf", odds=0.97)
def no_such_model(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the repository's hubconf.py has no `{name}`: torch.hub.list(repo) shows its names"
    )


@pitfall.explains(r"(?:^|Error: )Missing dependencies: (?P<names>[\w ,.-]{1,200})", odds=0.9)
def packages_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"the hub's model needs packages that are not installed: {failure.groups['names']}"
    )


@pitfall.explains(
    r"(?:^|Error: )Unknown model \((?P<name>[\w.-]{2,100})\)$",
    r"No pretrained weights exist for (?P<name>[\w.-]{2,100})\. Use `pretrained=False`",
    odds=0.93,
)
def not_in_timm(failure: Failure) -> Hits:
    name = failure.groups["name"]
    weights = ", or none with weights" if "weights" in failure.message else ""
    yield failure.hit(
        f"timm of this version has no `{name}`{weights}: timm.list_models('*{name[:6]}*', pretrained=True)"
    )


@pitfall.explains(
    r"Invalid pretrained tag \((?P<tag>[\w.-]{1,80})\) for (?P<name>[\w-]{2,80})",
    r"Wrong pretrained weights `(?P<tag>[^`]{1,60})` for encoder `(?P<name>[^`]{1,80})`(?:.{0,4}Available options are: (?P<known>\[.{0,200}?\]))?",
    r"Wrong (?P<tag>encoder) name `(?P<name>[^`]{1,80})`, supported encoders",
    odds=0.96,
)
def weights_of_another_name(failure: Failure) -> Hits:
    tag, name, known = (failure.groups.get(each) for each in ("tag", "name", "known"))
    says = f"`{name}` has no weights named `{tag}`: {known or f'timm.list_pretrained({name!r})'}"
    if tag == "encoder":
        says = f"this segmentation_models_pytorch knows no encoder `{name}`: smp.encoders.get_encoder_names(), or 'tu-{name}' for one of timm's"
    yield failure.hit(says)


CURES = {
    "invalid hash value (expected ": "the file that was downloaded is cut off or another one: delete it from the cache, load again",
    "Unknown source: ": "a repository comes from github or is a folder: source='local' with its path",
    "no internet connection and the repo could not be found": "github does not answer and nothing is in the cache: load it once where there is a "
    "connection, and copy ~/.cache/torch/hub",
    "Invalid input: model should be a string of function": "the second argument is the name of a function in hubconf.py, a text: 'resnet18'",
    "Only one file(not dir) is allowed in the zipfile": "an archive from the hub holds one file of weights, and this one holds several: "
    "load it by hand and unpack it",
    "TORCH_HUB is deprecated, please use env TORCH_HOME": "the hub's folder is named by TORCH_HOME (its subfolder hub): the older name still works",
    "If it's a commit from a forked repo": "that repository has no such branch or tag: the name after the colon, or the fork's own",
}
pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"No such file or directory: '.{0,200}?torch[\\/]{1,4}hub[\\/]{1,4}(?P<repo>[\w.-]{1,80})[\\/]{1,4}hubconf\.py'",
    odds=0.93,
)
def cached_in_part(failure: Failure) -> Hits:
    yield failure.hit(
        f"the copy of {failure.groups['repo']} in the cache has no hubconf.py: force_reload=True, or delete that folder"
    )


@pitfall.explains(
    r"No such file or directory: '(?P<folder>[^'\n]{1,300}?)[\\/]{1,4}hubconf\.py'", odds=0.9
)
def no_repository_there(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py") and "torch/hub" not in failure.groups["folder"]:
        yield failure.hit(
            f"`{failure.groups['folder']}` holds no hubconf.py: the folder of a clone for source='local', or source='github'"
        )


@pitfall.explains(r"EOF when reading a line", odds=0.95)
def asked_for_trust(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py"):
        yield failure.hit(
            "torch.hub asks whether the repository is trusted, and nobody can answer here: trust_repo=True, once it is read"
        )
