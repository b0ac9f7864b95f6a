"""`keng ckpt`: finds its command without argparse; each one is a module of its own, `ckpt_<name>.py`."""

from __future__ import annotations

import sys

from keng._util import settings
from keng._util.texts import sentence
from keng.cli.commands import imported, nearest, refused

COMMANDS = {
    "show": "what is in a checkpoint: names, shapes, dtypes, devices",
    "scan": "what loading it would run, and whether that is known to be inert",
    "verify": "whether it is whole, and what the file really is",
    "match": "how its entries fit a model: a plan, as code or JSON",
    "fix": "write it so that it loads into a model",
    "convert": "write it in another format: safetensors, one file, another dtype",
    "average": "write the mean of several checkpoints",
    "merge-lora": "write a model with a LoRA adapter added to it",
    "extract-lora": "write the difference of two models as a LoRA adapter",
    "diff": "how two checkpoints differ: names, shapes, dtypes, values",
    "salvage": "write what can still be read of a damaged checkpoint",
}
USAGE = """\
usage: keng ckpt COMMAND FILE ...

{commands}

examples:
  keng ckpt show model.pt                              what is in it
  keng ckpt scan downloads                             what loading would run
  keng ckpt match model.pt --model pkg.models:build    why it does not load
  keng ckpt convert model.pt model.safetensors

`keng ckpt COMMAND --help` lists the options of a command."""


def main(args: list[str]) -> int:
    name, *rest = args or [""]
    if name in ("--help", "-h", "help", ""):
        width = max(map(len, COMMANDS))
        commands = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
        print(USAGE.format(commands=commands), file=sys.stdout if name else sys.stderr)
        return 0 if name else 2
    if name not in COMMANDS:
        near = nearest(name, COMMANDS)
        raise refused("ckpt", sentence("no_command", name=name, nearest=near))
    # A downloaded folder may hold a pyproject.toml too, and none of its code is executed.
    settings.leave_out()
    code: int = imported(f"ckpt_{name.replace('-', '_')}").main(rest)
    return code
