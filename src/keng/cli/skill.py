"""`keng skill`: prints or installs the skill and the MCP configuration for coding agents."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from keng._util.disk import save
from keng._util.texts import sentence, why
from keng.agents.clients import CLIENTS, SKILL, Change, Unreadable, changes
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.report.screen import Piece, Screen

EXAMPLES = """
  keng skill                               print the skill
  keng skill install claude                show the changes, ask, and write them into this project
  keng skill install cursor vscode --yes
"""
STYLES = {"+": "added", "-": "removed"}


def parser() -> Parser:
    about = "Teach coding agents to use keng: a skill, and the configuration of its MCP server."
    parser = Parser("skill", about, EXAMPLES)
    parser.add_argument("action", nargs="?", choices=("show", "install"), default="show")
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(CLIENTS))
    flag(parser, "--diff", "show the changes without making them")
    flag(parser, "--yes", "make them without asking")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.action == "show":
        sys.stdout.write(SKILL.read_text("utf-8"))
        return 0
    wanted = _wanted(options)
    if not wanted:
        print("keng: everything is installed already")
        return 0
    _show(wanted, options)
    if options.diff:
        return 0
    if not options.yes and not _agreed(len(wanted)):
        print("keng: nothing was written")
        return 1
    for change in wanted:
        change.path.parent.mkdir(parents=True, exist_ok=True)
        if skipped := save(change.path, change.after.encode()):
            raise refused("skill", skipped.why, skipped.path)
    return 0


def _wanted(options: argparse.Namespace) -> list[Change]:
    if not options.clients:
        raise refused("skill", sentence("which_client", clients=", ".join(CLIENTS)))
    if unknown := [each for each in options.clients if each not in CLIENTS]:
        says = sentence("no_client", name=unknown[0], clients=", ".join(CLIENTS))
        raise refused("skill", says)
    try:
        return [each for client in options.clients for each in changes(client, Path())]
    except Unreadable as unreadable:
        raise refused("skill", unreadable.says, str(unreadable.path)) from None
    except OSError as error:
        raise refused("skill", why(error), error.filename) from None


def _show(wanted: list[Change], options: argparse.Namespace) -> None:
    screen = Screen(sys.stdout, options.color)
    for change in wanted:
        lines = (line.rstrip("\n") for line in change.diff())
        screen.show([Piece(line, STYLES.get(line[:1], ""))] for line in lines)


def _agreed(n: int) -> bool:
    try:
        return input(f"write {n} file{'s' if n > 1 else ''}? [y/N] ").strip().lower() in (
            "y",
            "yes",
        )
    except EOFError:
        return False
