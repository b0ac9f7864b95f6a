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

import re

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NEWER = frozenset(
    "PackDetInputs PackSegInputs PackInputs PackPoseInputs DetDataPreprocessor SegDataPreProcessor DetLocalVisualizer "
    "EpochBasedTrainLoop IterBasedTrainLoop ValLoop TestLoop OptimWrapper AmpOptimWrapper CocoMetric IoUMetric DefaultSampler".split()
)
OLDER = frozenset(
    "DefaultFormatBundle DefaultFormatBundle3D Collect Collect3D EpochBasedRunner IterBasedRunner TextLoggerHook NumClassCheckHook "
    "EvalHook DistEvalHook Fp16OptimizerHook OptimizerHook GroupSampler".split()
)
"""What configurations of OpenMMLab's toolboxes name since they stand on mmengine, and what before alone."""
TOOLBOX = re.compile(r"[/\\](mm(?!cv|engine)\w{2,12})[/\\]")


@pitfall.explains(
    r"(?:^|['\"]|rror: )(?P<name>[\w.]{1,80}) is not in the (?:(?P<scope>\w{2,40})::)?(?P<registry>(?!docker|npm|container)[a-z][\w ]{1,40}?) registry\b",
    odds=0.97,
)
def not_of_the_toolbox(failure: Failure) -> Hits:
    name, scope = failure.groups["name"], failure.groups.get("scope", "")
    registry = failure.groups["registry"]
    home, _, own = name.rpartition(".")
    boxes = [found[1] for frame in failure.frames if (found := TOOLBOX.search(frame.path))]
    box = scope or (boxes[-1] if boxes else "toolbox")
    if name == "None":
        says = f"the configuration gives no type for what is built as {registry}: `type=` is missing, or the base file that has it is not read"
    elif own in NEWER and not scope:
        says = f"`{own}` is of the toolboxes over mmengine, as mmdet 3 and mmseg 1, and an older one is installed: a configuration of its version, or pip install -U"
    elif own in OLDER and scope:
        says = f"`{own}` is of the toolboxes before mmengine, as mmdet 2 and mmseg 0, and a newer one is installed: a configuration of its version"
    elif home:
        says = f"`{own}` is of {home}, which is not installed or not imported: pip install it, and custom_imports=dict(imports=['{home}.models'])"
    elif scope == "mmengine":
        says = f"`{name}` is looked for in mmengine alone: default_scope='mmdet', or whose it is, and that toolbox imported (init_default_scope, custom_imports)"
    else:
        says = f"no file that was imported puts `{name}` into the registry {registry}: custom_imports in the configuration, or the repository's own {box} in place of the stock one"
    yield failure.hit(says)


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
