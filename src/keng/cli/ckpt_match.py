"""`keng ckpt match`: how the entries of a checkpoint go into a model."""

from __future__ import annotations

import argparse
import json
import sys

from keng._util.texts import sentence
from keng.ckpt.aliases import Format
from keng.ckpt.mapping import Plan
from keng.ckpt.mapping.code import python
from keng.ckpt.nodes import Opaque
from keng.ckpt.repair import at
from keng.cli import checkpoint_files, mapping_plans
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.report.plans import lines
from keng.report.screen import Screen
from keng.report.words import Words

EXAMPLES = """
  keng ckpt match model.pt --model pkg.models:build     against the model that a function returns
  keng ckpt match model.pt other.safetensors --code     against a checkpoint, as a program that loads it
  python train.py 2>&1 | keng ckpt match model.pt -     against an error of load_state_dict
"""


def parser() -> Parser:
    about = (
        "Plan how the entries of a checkpoint fit a model: nesting, prefixes, renames, shapes."
        " Exit code 1: a part of the model is not filled as it was saved."
    )
    parser = Parser("ckpt match", about, EXAMPLES)
    parser.add_argument("file", help="a checkpoint, or the text of an error of load_state_dict")
    what = "another checkpoint, or the text of an error of load_state_dict; - for standard input"
    parser.add_argument("other", nargs="?", default="", help=what)
    mapping_plans.add_model(parser.add_argument_group("model"))
    flag(parser.add_output(), "--code", "print the plan as a program")
    flag(parser.add_output(), "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    name, plan, form = _planned(options)
    if options.json:
        print(json.dumps(plan.as_json(), indent=2))
    elif options.code:
        print(python(plan, options.file, form == "safetensors"), end="")
    else:
        screen = Screen(sys.stdout, options.color)
        screen.show(lines(plan, options.file, name, Words(options.lang), screen.width))
    return int(not plan.whole)


def _planned(options: argparse.Namespace) -> tuple[str, Plan, Format]:
    """What is to be filled, how, and the format of the file."""
    if not options.model and not options.other:
        errors = mapping_plans.message(options.file)
        if not errors:
            raise refused("ckpt match", sentence("match_what"))
        if options.code:
            raise refused("ckpt match", sentence("code_needs_file"))
        return "load_state_dict", mapping_plans.of_message(errors), "unknown"
    wanted = mapping_plans.target(options.model, options.other, "match")
    with checkpoint_files.local(options.file, "match") as path:
        found = checkpoint_files.whole(path, "match")
    checkpoint_files.warn(found, options.file, options)
    if options.code and found.format not in ("zip", "legacy", "safetensors"):
        raise refused("ckpt match", sentence("code_needs_torch_file"))
    plan = mapping_plans.plan(mapping_plans.candidates(found, options.key, "match"), wanted)
    if options.code and isinstance(at(found.root, plan.nesting), Opaque):
        raise refused("ckpt match", sentence("code_needs_dict"))
    return wanted.name, plan, found.format
