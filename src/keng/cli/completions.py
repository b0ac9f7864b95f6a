"""`keng completions SHELL`: a script that completes commands, options and names of pitfalls."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from keng._util.texts import sentence
from keng.cli import ckpt
from keng.cli import main as commands
from keng.cli.commands import imported, refused
from keng.cli.options import Parser

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
SHELLS = ("bash", "zsh", "fish")
EXAMPLES = """
  eval "$(keng completions bash)"                               in ~/.bashrc
  keng completions zsh > "${fpath[1]}/_keng"
  keng completions fish > ~/.config/fish/completions/keng.fish
"""


def parser() -> Parser:
    parser = Parser("completions", "Print the completions of a shell.", EXAMPLES)
    parser.add_argument("shell", choices=SHELLS)
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    try:
        import shtab
    except ImportError:
        says = sentence("command_needs_package", package="shtab", spec="shtab")
        raise refused("completions", says) from None
    print(shtab.complete(whole(), options.shell))
    return 0


def whole() -> argparse.ArgumentParser:
    """All commands as one parser."""
    root = argparse.ArgumentParser("keng")
    below = root.add_subparsers(parser_class=argparse.ArgumentParser)
    for name, what in commands.COMMANDS.items():
        if name != "ckpt":
            _add(below, name, imported(name.replace("-", "_")).parser(), what)
    inside = below.add_parser("ckpt", help=commands.COMMANDS["ckpt"])
    files = inside.add_subparsers(parser_class=argparse.ArgumentParser)
    for name, what in ckpt.COMMANDS.items():
        _add(files, name, imported(f"ckpt_{name.replace('-', '_')}").parser(), what)
    return root


def _add(below: Commands, name: str, command: Parser, what: str) -> None:
    below.add_parser(name, help=what, parents=[command], add_help=False)
