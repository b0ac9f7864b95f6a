"""`keng ckpt merge-lora`: a model with a LoRA adapter added to its weights."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import ExitStack
from typing import Any

from keng._util.texts import sentence, why
from keng.ckpt.arithmetic import Adapter, merged
from keng.ckpt.nodes import Dict
from keng.cli import ckpt_output, weights
from keng.cli.commands import refused
from keng.cli.options import Parser, add_key
from keng.report.words import Words

CONFIG = "adapter_config.json"

EXAMPLES = """
  keng ckpt merge-lora model.safetensors adapter merged.safetensors
  keng ckpt merge-lora model.pt adapter_model.bin merged.pt --alpha 32    without adapter_config.json
"""


def parser() -> Parser:
    about = (
        "Write a model with a LoRA adapter in PEFT's layout added to its weights. ADAPTER is the folder"
        " that PEFT has saved, with adapter_config.json."
    )
    parser = Parser("ckpt merge-lora", about, EXAMPLES)
    parser.add_argument("base", metavar="BASE", help="the checkpoint of the model")
    parser.add_argument("adapter", metavar="ADAPTER", help="a folder, or its adapter_model file")
    parser.add_out("a new file")
    merging = parser.add_argument_group("merging")
    add_key(merging, "which state dict of BASE, for example `ema`")
    what = "lora_alpha, if there is no adapter_config.json"
    merging.add_argument("--alpha", type=float, metavar="NUMBER", help=what)
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    weights.need_numpy("merge-lora")
    with ExitStack() as files:
        base = weights.loaded(options.base, options.key, "merge-lora", options, files)
        added = weights.loaded(options.adapter, "", "merge-lora", options, files)
        try:
            made = merged(base, Adapter(added, _config(options)))
        except ValueError as error:
            raise refused("ckpt merge-lora", why(error)) from None
        state = Dict("OrderedDict", list(made.items()))
        found = weights.with_files(base.checkpoint, added.checkpoint)
        out = ckpt_output.Out(options.out, options.force)
        texts = dict(base.checkpoint.metadata)
        done = ckpt_output.write(out, state, found, "merge-lora", metadata=texts)
    ckpt_output.say(options.out, done, options.color, Words(options.lang))
    return 0


def _config(options: argparse.Namespace) -> dict[str, Any]:
    """PEFT's, of the folder. Raises Usage."""
    if options.alpha is not None:
        return {"lora_alpha": options.alpha}
    folder = options.adapter
    folder = folder if os.path.isdir(folder) else os.path.dirname(folder)
    path = os.path.join(folder, CONFIG)
    try:
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
    except OSError as error:
        says = sentence("pass_alpha", why=why(error))
        raise refused("ckpt merge-lora", says, path) from None
    except (ValueError, RecursionError):
        raise refused("ckpt merge-lora", sentence("is_not_json"), path) from None
    if not isinstance(config, dict):
        raise refused("ckpt merge-lora", sentence("not_peft_config"), path)
    return config
