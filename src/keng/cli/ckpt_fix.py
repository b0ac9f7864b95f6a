"""`keng ckpt fix`: writes a checkpoint so that it loads into a model."""

from __future__ import annotations

import argparse
import json
import sys

from keng._util.texts import sentence, why
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.mapping import Plan
from keng.ckpt.repair import at, mended
from keng.ckpt.writing.values import Written
from keng.cli import checkpoint_files, ckpt_output, mapping_plans
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.report.plans import choice, lines
from keng.report.screen import Piece, Screen
from keng.report.words import Words

EXAMPLES = """
  keng ckpt fix model.pt --model pkg.models:build             what would be done
  keng ckpt fix model.pt --model pkg.models:build fixed.pt    write it
  keng ckpt fix model.pt --plan plan.json fixed.pt            as `keng ckpt match --json` planned it
"""


def parser() -> Parser:
    about = (
        "Write a checkpoint with the names and shapes of a model; everything else in it stays."
        " Without OUT, print what would be done. Exit code 1: a part of the model is not filled."
    )
    parser = Parser("ckpt fix", about, EXAMPLES)
    parser.add_argument("file", help="a checkpoint")
    parser.add_out("a new file; .safetensors: only the weights", needed=False)
    model = parser.add_argument_group("model")
    mapping_plans.add_model(model)
    what = "the output of `keng ckpt match --json`"
    model.add_argument("--plan", default="", metavar="JSON", help=what)
    flag(parser.add_output(), "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if bool(options.model) == bool(options.plan):
        raise refused("ckpt fix", sentence("fix_what"))
    with checkpoint_files.local(options.file, "fix") as path:
        found = checkpoint_files.whole(path, "fix")
        checkpoint_files.warn(found, options.file, options)
        return _fixed(found, options)


def _fixed(found: Checkpoint, options: argparse.Namespace) -> int:
    plan = _plan(found, options)
    if not plan.moves and any(each.why == "lora" for each in plan.unused):
        raise refused("ckpt fix", sentence("adapter_alone"), options.file)
    words, screen = Words(options.lang), Screen(sys.stdout, options.color)
    if not options.json:
        name = options.model or options.plan
        screen.show(lines(plan, options.file, name, words, screen.width))
    done = _write(found, plan, options, words) if options.out else Written(0, {})
    if options.json:
        told = {"plan": plan.as_json(), "out": options.out, "left_out": done.left_out}
        print(json.dumps(told, indent=2))
    elif not options.out:
        screen.show([[Piece(words("dry"))]])
    return int(not plan.whole)


def _plan(found: Checkpoint, options: argparse.Namespace) -> Plan:
    if options.plan:
        return mapping_plans.from_json(options.plan, "fix")
    file = mapping_plans.candidates(found, options.key, "fix")
    return mapping_plans.plan(file, mapping_plans.target(options.model, "", "fix"))


def _write(found: Checkpoint, plan: Plan, options: argparse.Namespace, words: Words) -> Written:
    if plan.rivals:
        raise refused("ckpt fix", choice(plan, words))
    if not plan.exact:
        raise refused("ckpt fix", sentence("nothing_fits"))
    try:
        root = mended(found, plan)
    except ValueError as error:
        raise refused("ckpt fix", why(error)) from None
    state = at(root, plan.nesting)
    whole = state if options.out.endswith(".safetensors") else root
    done = ckpt_output.write(ckpt_output.Out(options.out, options.force), whole, found, "fix")
    if not options.json:
        ckpt_output.say(options.out, done, options.color, words)
    return done
