"""`keng ckpt average`: the mean of several checkpoints."""

from __future__ import annotations

from contextlib import ExitStack

from keng._util.texts import sentence, why
from keng.ckpt.arithmetic import averaged
from keng.ckpt.nodes import Dict
from keng.cli import ckpt_output, weights
from keng.cli.commands import refused
from keng.cli.options import Parser, add_key
from keng.report.words import Words

EXAMPLES = """
  keng ckpt average epoch-8.pt epoch-9.pt epoch-10.pt mean.pt
  keng ckpt average last.ckpt best.ckpt --key ema -o mean.safetensors
"""


def parser() -> Parser:
    about = (
        "Write the mean of the weights of several checkpoints, which must have the same names and shapes."
        " Tensors that are not floating point are taken from the first file."
    )
    parser = Parser("ckpt average", about, EXAMPLES)
    parser.usage = "keng ckpt average [options] FILE FILE ... OUT"
    parser.add_argument("files", nargs="+", metavar="FILE", help="two checkpoints or more")
    parser.add_out("a new file", needed=False)
    add_key(parser.add_argument_group("selection"))
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if not options.out:
        options.out = options.files.pop()  # FILE takes all that have no option before them
    if len(options.files) < 2:
        raise refused("ckpt average", sentence("average_what"))
    weights.need_numpy("average")
    with ExitStack() as files:
        loaded = [
            weights.loaded(name, options.key, "average", options, files) for name in options.files
        ]
        try:
            made = averaged(loaded)
        except ValueError as error:
            raise refused("ckpt average", why(error)) from None
        state = Dict("OrderedDict", list(made.items()))
        out = ckpt_output.Out(options.out, options.force)
        found = weights.with_files(*(each.checkpoint for each in loaded))
        done = ckpt_output.write(out, state, found, "average")
    ckpt_output.say(options.out, done, options.color, Words(options.lang))
    return 0
