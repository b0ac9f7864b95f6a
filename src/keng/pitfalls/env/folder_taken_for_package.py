r"""A folder that holds no code is imported in place of a library.

Python imports a folder without `__init__.py` as an empty package where nothing else of that name comes before it. A checkout `fairseq/` has the package one level deeper, and is found
instead of it by a program that runs beside the checkout; a folder `datasets` of pictures is found instead of the library, and an uninstallation that left a file leaves its folder. The
import works, and nothing is in it: Python says `unknown location`, as there is no file that it could name.

Cure: `print(fairseq.__path__)` tells which folder it is; `pip install -e .` in the checkout, or PYTHONPATH with its path; another name for a folder of one's
own; delete what an uninstallation left, and install anew.

Bad:

```python
import sys
import tempfile
from pathlib import Path

here = tempfile.mkdtemp()
Path(here, "torch_scatter", "csrc").mkdir(parents=True)
sys.path.insert(0, here)
from torch_scatter import scatter
```

Good:

```python
import torch

print(torch.__path__)
```

Message (any version, a checkout; `pip install -e .`):

```text
ImportError: cannot import name 'metrics' from 'fairseq' (unknown location)
```

Message (any version; `transformers`):

```text
ImportError: cannot import name 'AutoTokenizer' from 'transformers' (unknown location)
```

Message (any version, a folder of data; `datasets`):

```text
ImportError: cannot import name 'load_dataset' from 'datasets' (unknown location)
```

Message (any version, what an uninstallation left; `torch`):

```text
ImportError: cannot import name 'Tensor' from 'torch' (unknown location)
```

Message (audiocraft, started beside a checkout in a checkout; `found as a folder`):

```text
ImportError: cannot import name 'MusicGen' from 'audiocraft.models' (unknown location)
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import libraries

pitfall = Pitfall(__name__, __doc__, severity="error")

OTHERS = (
    "torch|torchmetrics|torch_(?:scatter|sparse|cluster)|fairseq2?|detectron2|mmcv|mmengine|mmdet\\w*|mmseg\\w*|mmpose|mmaction|lightning|stable_baselines3|sb3_contrib|"
    "apex|dgl|TTS|whisper|open_clip|nemo|espnet2?|flair|allennlp|basicsr|gfpgan|segment_anything|sam2|groundingdino|ultralytics|audiocraft|encodec|demucs|fairscale|pytorch3d|kornia|lavis|mamba_ssm|nerfstudio|gsplat|xformers|vllm|flash_attn|openpifpaf|nnunetv?2?"
)
OF_DATASETS = (
    "load_dataset|load_from_disk|load_metric|Dataset(?:Dict)?|IterableDataset|concatenate_datasets|interleave_datasets|"
    "Features|Value|ClassLabel|Audio|Image|Sequence|DownloadConfig|config"
)
OF_EVALUATE = "load|combine|evaluator"


@pitfall.explains(
    rf"cannot import name '(?!_C'|_ext'|\w{{2,60}}_(?:cuda|ext|cpp|gpu)')(?P<what>\w{{1,80}})' from '(?P<module>(?:{OTHERS}|{'|'.join(libraries.LIBRARIES)})(?:\.[\w.]{{1,100}})?)' "
    r"\(unknown location\)",
    odds=0.98,
)
def nothing_in_it(failure: Failure) -> Hits:
    module, what = failure.groups["module"], failure.groups["what"]
    own = {"datasets": OF_DATASETS, "evaluate": OF_EVALUATE}.get(module, what)
    if re.fullmatch(own, what):
        name = module.partition(".")[0]
        yield failure.hit(
            f"`{module}` is found as a folder without code: of your own, a checkout's or what an uninstallation left; print({name}.__path__), "
            "pip install -e . in a checkout, else rename or delete it"
        )
