"""Commands that come with PyTorch and what stands on it, which are files of one environment."""

from __future__ import annotations

MODULES = {
    "torchrun": "torch.distributed.run",
    "accelerate": "accelerate.commands.accelerate_cli",
    "accelerate-launch": "accelerate.commands.launch",
    "deepspeed": "deepspeed.launcher.runner",
}
"""What runs some of them without a path."""

COMMAND = (
    rf"(?P<what>{'|'.join(MODULES)}|horovodrun|lightning|vllm|torchserve|torch-model-archiver)"
)


def not_on_the_path(what: str) -> str:
    module = MODULES.get(what, "")
    lacks = "PyTorch is older than 1.10" if what == "torchrun" else "has no such package"
    cure = (
        f"python -m {module} takes the same arguments" if module else "activate it, or install it"
    )
    where = "the environment is not activated in this shell, job or container"
    return f"{what} is not on the path, as {where}, or {lacks}: {cure}"
