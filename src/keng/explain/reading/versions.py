"""The versions of libraries in a text: of collect_env, pip list, requirements, and what people write."""

from __future__ import annotations

import re

VERSION = (
    r"(?P<version>\d{1,4}(?:\.\d{1,6}){1,3}(?:[.+-]?(?:a|b|rc|dev|post|cu|cpu|git)[\w.]{0,20})?)"
)
LIBRARIES = (
    "pytorch[_-]lightning|pytorch|torchvision|torchaudio|torchtext|torchmetrics|torch[_-]geometric|torch|lightning"
    "|transformers|tokenizers|accelerate|peft|trl|diffusers|timm|datasets|huggingface[_-]hub|safetensors|numpy|triton"
    "|xformers|flash[_-]attn|bitsandbytes|deepspeed|mmcv(?:[_-]full)?|mmengine|mmdet|monai|kornia|dgl|onnx(?:runtime)?"
    "|sentence[_-]transformers|setfit|gymnasium|gym|stable[_-]baselines3|python|cuda"
)
BETWEEN = (
    r"(?:\s{0,3}(?:==|=|:|\|)|-(?=\d)|\s{0,40}is|\s{1,40}v?(?=`?\d)|\s{0,2}\()\s{0,40}v?['\"`]?"
)
NO_VERSION = r"(?![\w%]| ?[GMk]i?B\b| or (?:below|older|newer|above|later))"
SAID = re.compile(
    rf"(?<![\w./\\-])(?P<name>{LIBRARIES})(?:\s{{0,3}}(?:version|runtime version))?{BETWEEN}"
    rf"{VERSION}{NO_VERSION}",
    re.IGNORECASE,
)
BUILT = re.compile(rf"CUDA used to build PyTorch: {VERSION}")
NAMES = {"pytorch": "torch", "mmcv_full": "mmcv"}
LONGEST = 200_000


def versions_in(text: str) -> dict[str, str]:
    """Each library's version, by the name that Python imports it by; the first that is said of it."""
    found: dict[str, str] = {}
    told = "\n".join(line for line in text[-LONGEST:].split("\n") if "pip install" not in line)
    for said in SAID.finditer(told):
        name = said["name"].lower().replace("-", "_")
        found.setdefault(NAMES.get(name, name), said["version"].rstrip(".+-"))
    built = BUILT.search(text)
    if built is not None:
        found["cuda"] = built["version"]
    return found
