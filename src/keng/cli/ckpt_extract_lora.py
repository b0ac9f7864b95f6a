"""`keng ckpt extract-lora`: the difference of two models as a LoRA adapter."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack

from keng._util.texts import sentence, why
from keng.ckpt.arithmetic import Extraction
from keng.cli import ckpt_output, weights
from keng.cli.commands import refused
from keng.cli.files import write
from keng.cli.options import Parser, add_key
from keng.report.screen import Piece, Screen, paragraph
from keng.report.words import Words

EXAMPLES = """
  keng ckpt extract-lora base.safetensors tuned.safetensors adapter
  keng ckpt extract-lora base.pt tuned.pt adapter --rank 64
"""


def parser() -> Parser:
    about = (
        "Write the difference of a model and its fine-tuned version as a LoRA adapter in PEFT's layout. The"
        " difference is approximated by matrices of the given rank; the share that is lost is printed."
    )
    parser = Parser("ckpt extract-lora", about, EXAMPLES)
    parser.add_argument("base", metavar="BASE", help="the checkpoint before fine-tuning")
    parser.add_argument("tuned", metavar="TUNED", help="the checkpoint after it")
    parser.add_out("a new folder")
    adapter = parser.add_argument_group("adapter")
    adapter.add_argument("--rank", type=int, default=16, metavar="N", help="its rank (16)")
    add_key(adapter)
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.rank < 1:
        says = sentence("not_above_zero", option="--rank", value=options.rank)
        raise refused("ckpt extract-lora", says)
    weights.need_numpy("extract-lora")
    with ExitStack() as files:
        base, tuned = (
            weights.loaded(name, options.key, "extract-lora", options, files)
            for name in (options.base, options.tuned)
        )
        try:
            found = Extraction(base, tuned, options.rank)
        except ValueError as error:
            raise refused("ckpt extract-lora", why(error)) from None
        path = os.path.join(_folder(options.out), "adapter_model.safetensors")
        sources = weights.with_files(base.checkpoint, tuned.checkpoint)
        out = ckpt_output.Out(path, options.force)
        done = ckpt_output.write_tensors(out, found.tensors, sources, "extract-lora")
        config = json.dumps(found.config, indent=2) + "\n"
        write("ckpt extract-lora", os.path.join(options.out, "adapter_config.json"), config)
    words, screen = Words(options.lang), Screen(sys.stdout, options.color)
    ckpt_output.say(path, done, options.color, words)
    worst = max(found.lost, key=lambda name: found.lost[name])
    text = words("rank_lost", rank=options.rank, share=f"{found.lost[worst]:.1%}", name=worst)
    screen.show(paragraph(text, screen.width, []))
    if found.others:
        text = words("not_in_adapter", len(found.others), name=found.others[0])
        first = [Piece(words("warning"), "warning"), Piece(words.colon)]
        screen.show(paragraph(text, screen.width, first))
    return 0


def _folder(path: str) -> str:
    """Raises Usage where it cannot be made."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise refused("ckpt extract-lora", why(error), path) from None
    return path
