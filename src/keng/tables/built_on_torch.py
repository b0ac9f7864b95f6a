"""Which packages are built on PyTorch.

The table next to this file is written by tools/torch_dependents.py from what the authors of packages say of
them on PyPI.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_suffix(".names")
UNSAID = frozenset(
    (
        "transformers accelerate peft trl deepspeed xformers bitsandbytes setfit sentence_transformers "
        "lightning lightning_fabric ultralytics fairseq mmcv mmengine mmdet mmseg mmpose mmdet3d "
        "mmaction mmocr mmpretrain mmrotate detectron2 nnunet nnunetv2 monai fastai espnet espnet2 "
        "open_clip vllm dgl pyannote segmentation_models_pytorch tianshou rlpyt sb3_contrib nerfstudio "
        "colossalai megatron unsloth ignite pyro nemo flash_attn apex litgpt lit_gpt axolotl llmtuner "
        "llamafactory"
    ).split()
)
"""Those whose summary does not name PyTorch, that have another name on PyPI, or that it does not have."""


def is_built_on_torch(package: str) -> bool:
    """Whether a package, by the name that is imported, is made for PyTorch."""
    name = package.lower()
    return "torch" in name or name in UNSAID or name in _names()


@cache
def _names() -> frozenset[str]:
    try:
        return frozenset(TABLE.read_text("utf-8").splitlines()[1:])
    except OSError:
        return frozenset()
