"""The command line. Finds the command without argparse, so that `keng --version` costs next to
nothing; each command is a module of its own."""

from __future__ import annotations

import os
import sys
from errno import ENOSPC

from keng._util.version import VERSION
from keng.cli.commands import Usage, imported, nearest, refused, refused_by

COMMANDS = {
    "check": "find pitfalls in source files, and fix them",
    "run": "run a program, and report its silent mistakes",
    "explain": "explain an error, or print the page of a pitfall",
    "ckpt": "inspect, repair and convert checkpoints without running them",
    "env": "check the machine: driver, libraries, limits, locks",
    "logs": "read the log of a finished training, and report what it shows",
    "runs": "list the runs that were kept, or compare two",
    "data": "read a dataset once, and report its faults",
    "probe": "test a model on one batch: rows, causal masks, padding, dropout",
    "merge": "join the outputs of `keng check --shard` or `keng ckpt scan --shard`",
    "tune-loader": "find the fastest DataLoader settings for a dataset",
    "pits": "list or search the pitfalls",
    "recipe": "list training programs to start from, or write one",
    "replay": "run a step again that failed under `keng run --capsule`",
    "lsp": "serve an editor",
    "mcp": "serve a coding agent",
    "skill": "teach coding agents to use keng",
    "schema": "print the JSON Schema of an output or of the configuration",
    "completions": "print the completions of a shell",
    "new": "create the folder of a new pitfall",
    "test-pack": "test the pitfalls of a rule pack",
}
USAGE = """usage: keng COMMAND ...

{commands}

`keng help COMMAND` prints the options of a command, `keng --version` the version.
--lang, --color, --json and --quiet may also come before the command."""
WITH_VALUE = ("--lang", "--color")
ANYWHERE = (*WITH_VALUE, "--json", "--quiet", "-q")
"""Options that may come before the command; each command says which of them it has."""
PIPE_CLOSED = 128 + 13  # as of a program that died of SIGPIPE


def main(argv: list[str] | None = None) -> int:
    args = _command_first(sys.argv[1:] if argv is None else argv)
    try:
        code = _command(args)
        # The output of a program is Python's to flush, as it ends; there is none where it was closed,
        # as the server of editors does.
        if args[:1] != ["run"] and sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has gone; Python must not complain when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        if error.errno != ENOSPC or error.filename is not None or args[:1] == ["run"]:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print("keng: the output cannot be written: no space left on device", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        sys.excepthook = lambda *_: None  # die of it as Python does, quietly
        raise
    except Usage as error:
        _refuse(error.args[0], args)
        return 2
    except Exception as error:
        if type(error).__name__ != "CatalogError":
            raise
        print(f"keng: {error}", file=sys.stderr)
        return 2
    return code


def _refuse(says: str, args: list[str]) -> None:
    from keng.cli.options import language
    from keng.pitfalls.texts import spoken
    from keng.report.screen import plainly  # it may repeat what stands in a file

    print(plainly(f"keng: {spoken(says, language(args))}"), file=sys.stderr)


def _command(args: list[str]) -> int:
    name, *rest = args or [""]
    if name in ("--version", "-V", "version"):
        if "--json" in rest:
            raise _no_json(name)
        print(f"keng {VERSION}")
        return 0
    if name == "help" and rest[:1] and rest[0] in COMMANDS:
        name, rest = rest[0], [*rest[1:], "--help"]
    if name in ("--help", "-h", "help", ""):
        width = max(map(len, COMMANDS))
        commands = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
        print(USAGE.format(commands=commands), file=sys.stdout if name else sys.stderr)
        return 0 if name else 2
    if name not in COMMANDS:
        raise _unknown(name, rest)
    try:
        os.getcwd()
    except OSError:
        raise refused_by("no_current_folder") from None
    _tolerate_any_character()
    code: int = imported(name.replace("-", "_")).main(rest)
    return code


def _command_first(args: list[str]) -> list[str]:
    """The arguments with the options that came before the command after it."""
    command: list[str] = []
    options: list[str] = []
    at = 0
    while at < len(args) and command[-1:] in ([], ["ckpt"], ["help"]):
        if args[at].partition("=")[0] not in ANYWHERE:
            command.append(args[at])
            at += 1
            continue
        end = at + (2 if args[at] in WITH_VALUE else 1)
        options += args[at:end]
        at = end
    if command == ["run"]:  # its --json takes a file, and the next word is the program
        options = [f"{each}=" if each == "--json" else each for each in options]
    return [*command, *options, *args[at:]]


def _unknown(name: str, options: list[str]) -> Usage:
    if name.partition("=")[0] in ANYWHERE:
        return refused_by("option_needs_command", option=name)
    if name.startswith("-"):
        return refused_by("no_option", option=name, nearest=nearest(name, ["--version", "--help"]))
    if name.endswith(".py"):
        return refused_by("no_verb", file=name)
    near = nearest(name, COMMANDS)
    if "--json" in options and not near:
        return refused_by("no_command_but_file", name=name)
    return refused_by("no_command", name=name, nearest=near)


def _no_json(name: str) -> Usage:
    from keng._util.texts import sentence

    return refused(name, sentence("no_option", option="--json", nearest=""))


def _tolerate_any_character() -> None:
    """A terminal that lacks a character must not cost the report."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
