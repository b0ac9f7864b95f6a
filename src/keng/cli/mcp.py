"""`keng mcp`: the MCP server for coding agents."""

from __future__ import annotations

from importlib.util import find_spec

from keng.cli.commands import Usage
from keng.cli.options import Parser


def parser() -> Parser:
    about = "Serve coding agents: the Model Context Protocol over standard input and output."
    return Parser("mcp", about)


def main(args: list[str]) -> int:
    parser().parse(args)
    if find_spec("mcp") is None:
        raise Usage("mcp: the package is not installed: python -m pip install 'keng[mcp]'")
    from keng.agents.server import server

    server().run("stdio")
    return 0
