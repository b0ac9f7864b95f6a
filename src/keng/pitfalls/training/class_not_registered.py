r"""A configuration names a class that no registry holds.

mmdetection and its kin, detectron2, BasicSR and fairseq build what a configuration names: a class is put into a registry when the file that defines it is
imported, and a file that nobody imports puts in nothing. A repository that brings its own copy of the toolbox finds the stock one where that was installed
first. The names of mmdetection 2 and 3 differ, and a name of another toolbox wants that toolbox. A file that is imported under two paths puts its classes in twice.

Cure: import the file before anything is built, in a configuration by `custom_imports=dict(imports=["my_package.my_model"])`; `pip uninstall mmdet`, then
`pip install -e .` in the repository; `print(mmdet.__file__)` tells which copy runs; a configuration of the version that is installed.

Bad:

```python
from torch import nn

MODELS = {"Linear": nn.Linear}


def build(config):
    kind = config.pop("type")
    if kind not in MODELS:
        raise KeyError(f"{kind} is not in the models registry")  # seen: `PointNet`
    return MODELS[kind](**config)


model = build({"type": "PointNet", "in_features": 3, "out_features": 2})
```

Good:

```python
from torch import nn

MODELS = {"Linear": nn.Linear}


class PointNet(nn.Linear):
    pass


MODELS["PointNet"] = PointNet
model = MODELS["PointNet"](3, 2)
```

Message (any version, a table of classes; `models` has no `moco`):

```text
Traceback (most recent call last):
  File "/code/train.py", line 120, in main
    model = models.make(config["model"])
  File "/code/models/models.py", line 20, in make
    model = models[name](**kwargs)
KeyError: 'moco'
```

Message (torchvision, by its names; `models.__dict__`):

```text
Traceback (most recent call last):
  File "main.py", line 97, in main
    model = models.__dict__[args.arch](pretrained=True)
KeyError: 'resnet18d'
```

Message (mmcv 1, mmdetection 2; `the repository's own mmdet`):

```text
  File "/env/lib/python3.7/site-packages/mmdet/models/builder.py", line 58, in build_detector
    cfg, default_args=dict(train_cfg=train_cfg, test_cfg=test_cfg))
  File "/env/lib/python3.7/site-packages/mmcv/utils/registry.py", line 44, in build_from_cfg
    f'{obj_type} is not in the {registry.name} registry')
KeyError: 'PointDet is not in the models registry'
```

Message (mmcv 1.3 and later, of a part; `FastBackbone`):

```text
KeyError: "EncoderDecoder: 'FastBackbone is not in the models registry'"
```

Message (mmcv 1; `type`):

```text
KeyError: 'None is not in the dataset registry'
```

Message (mmcv 1 with a configuration of mmdetection 3; `mmengine`):

```text
KeyError: 'PackDetInputs is not in the pipeline registry'
```

Message (mmengine with a configuration of mmdetection 2; `before mmengine`):

```text
KeyError: 'DefaultFormatBundle is not in the mmdet::transform registry. Please check whether the value of `DefaultFormatBundle` is correct or it was registered as expected. More details can be found at https://mmengine.readthedocs.io/en/latest/advanced_tutorials/config.html#import-the-custom-module'
```

Message (mmengine; `FastBackbone`):

```text
KeyError: 'FastBackbone is not in the mmseg::model registry. Please check whether the value of `FastBackbone` is correct or it was registered as expected.'
```

Message (mmengine; `default_scope`):

```text
KeyError: 'Mask2Former is not in the mmengine::model registry. Please check whether the value of `Mask2Former` is correct or it was registered as expected.'
```

Message (mmcv 1; `mmcls.models`):

```text
KeyError: "FasterRCNN: 'mmcls.ConvNeXt is not in the models registry'"
```

Message (detectron2; `build_fast_backbone`):

```text
KeyError: "No object named 'build_fast_backbone' found in 'BACKBONE' registry!"
```

Message (detectron2; `pens_train`):

```text
KeyError: "Dataset 'pens_train' is not registered! Available datasets are: coco_2014_train, coco_2014_val"
```

Message (detectron2; `registered twice`):

```text
AssertionError: Dataset 'pens_train' is already registered!
```

Message (detectron2, BasicSR; `registered twice`):

```text
AssertionError: An object named 'FastNet' was already registered in 'arch' registry!
```

Message (mmcv 1; `registered twice`):

```text
KeyError: 'FastNet is already registered in backbone'
```

Message (mmengine; `registered twice`):

```text
KeyError: 'FastNet is already registered in model at mmdet.models.backbones.fast'
```

Message (fairseq; `registered twice`):

```text
ValueError: Cannot register duplicate task (audio_pretraining)
```

Message (fairseq; `av_hubert_pretraining`):

```text
AssertionError: Could not infer task type from {'_name': 'av_hubert_pretraining', 'data': '/data', 'labels': ['wrd']}. Available argparse tasks: dict_keys(['translation']). Available hydra tasks: dict_keys(['language_modeling'])
```

Message (AllenNLP; `--include-package`):

```text
allennlp.common.checks.ConfigurationError: my_classifier is not a registered name for Model. You probably need to use the --include-package flag to load your custom code.
```
"""

from keng.explain.advice.registries import not_of_the_toolbox, table_without
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:^|['\"]|rror: )(?P<name>[\w.]{1,80}) is not in the (?:(?P<scope>\w{2,40})::)?(?P<registry>(?!docker|npm|container)[a-z][\w ]{1,40}?) registry\b",
    odds=0.97,
)
def lacked_by_a_toolbox(failure: Failure) -> Hits:
    name, registry = failure.groups["name"], failure.groups["registry"]
    yield failure.hit(not_of_the_toolbox(failure, name, registry, failure.groups.get("scope", "")))


@pitfall.explains(
    r"No object named '(?P<name>[^'\n]{1,80})' found in '(?P<registry>[^'\n]{1,40})' registry",
    r"(?P<name>\w{1,80}) is not a registered name for '?(?P<registry>\w{1,40})'?",
    odds=0.97,
)
def not_imported(failure: Failure) -> Hits:
    name, registry = failure.groups["name"], failure.groups["registry"]
    how = "--include-package" if "registered name for" in failure.message else "an import"
    yield failure.hit(
        f"no file that was imported puts `{name}` into the registry {registry}: {how} of the one that defines it, or its name as it is there"
    )


@pitfall.explains(
    r"Dataset '(?P<name>[^'\n]{1,80})' is not registered! Available datasets are", odds=0.97
)
def dataset_not_registered(failure: Failure) -> Hits:
    yield failure.hit(
        f"this process has not registered `{failure.groups['name']}`: register_coco_instances or DatasetCatalog.register before it is asked for, in every process"
    )


@pitfall.explains(
    r"An object named '(?P<name>[^'\n]{1,80})' was already registered in '",
    r"(?:^|[Ee]rror: )[\"']?(?:\w+: [\"'])?(?P<name>\w{1,80}) is already registered in \w",
    r"Dataset '(?P<name>[^'\n]{1,80})' is already registered!",
    r"Cannot register duplicate \w{4,20} \((?P<name>[^)\n]{1,80})\)",
    odds=0.95,
)
def registered_twice(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is registered twice: its file is imported by two paths or run again, or the library has one of that name; another name, or a new start"
    )


@pitfall.explains(
    r"Could not infer (?P<what>task|model) type from (?:.{0,2000}?'_name': '(?P<name>\w{1,80})')?",
    odds=0.95,
)
def not_of_fairseq(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups.get("name", "")
    shown = f" `{name}`" if name else " of that name"
    yield failure.hit(
        f"fairseq has no {what}{shown} here: --user-dir, or utils.import_user_module, with the code that defines it, or a newer fairseq"
    )


@pitfall.explains(r"KeyError: ['\"](?P<name>[\w.+-]{1,80})['\"]$", odds=0.9)
def not_in_the_table(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if table := table_without(failure):
        yield failure.hit(
            f"`{table}` has no `{name}`: it is spelled otherwise there (print its keys), or the file that puts it in is not there or not imported"
        )
