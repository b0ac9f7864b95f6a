"""`keng recipe`: the right way as whole programs, listed, printed or written to a file."""

from __future__ import annotations

import argparse
import json
import os
import sys

from keng import recipes
from keng._util.disk import save
from keng._util.texts import sentence
from keng.cli.commands import nearest, refused
from keng.cli.options import Parser, flag
from keng.recipes import Recipe
from keng.report import records
from keng.report.recipes import lines
from keng.report.screen import Screen
from keng.report.words import Words

EXAMPLES = """
  keng recipe                           list them
  keng recipe train-loop                print one
  keng recipe train-loop -o train.py    write it to a file
"""


def parser() -> Parser:
    parser = Parser("recipe", "List the recipes, print one, or write it to a file.", EXAMPLES)
    parser.add_argument("name", nargs="?", help="the recipe to print")
    output = parser.add_output()
    output.add_argument("-o", "--output", metavar="FILE", help="write the recipe to FILE")
    flag(output, "--force", "overwrite FILE")
    flag(output, "--json", "print the list as JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.name is None:
        if options.output is not None:
            raise refused("recipe", sentence("which_recipe"))
        _list(options)
    elif options.json:
        raise refused("recipe", sentence("recipe_as_json"))
    elif options.output is None:
        sys.stdout.write(_named(options.name).text)
    else:
        _write(_named(options.name), options)
    return 0


def _list(options: argparse.Namespace) -> None:
    every = list(recipes.every())
    if options.json:
        print(json.dumps([records.of_recipe(each) for each in every], indent=2))
        return
    screen, words = Screen(sys.stdout, options.color), Words(options.lang)
    for each in every:
        screen.show(lines(each, words, screen.width))


def _named(name: str) -> Recipe:
    try:
        return recipes.recipe(name)
    except KeyError:
        near = nearest(name, recipes.names())
        raise refused("recipe", sentence("no_recipe", name=name, nearest=near)) from None


def _write(recipe: Recipe, options: argparse.Namespace) -> None:
    path = options.output
    if os.path.lexists(path) and not options.force:
        raise refused("recipe", sentence("file_exists", file=path))
    if skipped := save(path, recipe.text.encode()):
        raise refused("recipe", skipped.why, path)
    print(Words(options.lang)("recipe_written", name=recipe.name, file=path))
