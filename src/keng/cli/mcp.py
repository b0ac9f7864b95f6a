"""`keng mcp`: the MCP server for coding agents."""

from __future__ import annotations

from importlib.util import find_spec

from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.options import Parser


def parser() -> Parser:
    about = "Serve coding agents: the Model Context Protocol over standard input and output."
    return Parser("mcp", about)


def main(args: list[str]) -> int:
    parser().parse(args)
    if find_spec("mcp") is None:
        says = sentence("command_needs_package", package="mcp", spec="'keng[mcp]'")
        raise refused("mcp", says)
    from keng.agents.server import server

    server().run("stdio")
    return 0
