"""`keng schema [NAME]`: the JSON Schemas of the configuration and of what commands print."""

from __future__ import annotations

import json

from keng._util.texts import sentence
from keng.cli.commands import nearest, refused
from keng.cli.options import Parser
from keng.report.schemas import SCHEMAS, schema

EXAMPLES = """
  keng schema                           list the names
  keng schema check                     what `keng check --json` prints
  keng schema config > keng.schema.json
"""


def parser() -> Parser:
    parser = Parser("schema", "Print the JSON Schema of an output or of [tool.keng].", EXAMPLES)
    parser.add_argument("name", nargs="?", help="an output, or config; without one, list them")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.name is None:
        print("\n".join(SCHEMAS))
        return 0
    if options.name not in SCHEMAS:
        near = nearest(options.name, SCHEMAS)
        raise refused("schema", sentence("no_schema", name=options.name, nearest=near))
    print(json.dumps(schema(options.name), indent=2))
    return 0
