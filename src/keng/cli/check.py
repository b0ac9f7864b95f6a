"""`keng check`: source files -> findings, mended where it is wanted."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from keng import check, pitfalls
from keng._util.settings import FAIL_ON
from keng._util.texts import sentence
from keng.cli.check_output import FORMATS, Telling
from keng.cli.commands import nearest, refused
from keng.cli.files import writable, write
from keng.cli.options import Parser, add_list, add_quiet, configured, flag
from keng.cli.progress import Progress
from keng.cli.selection import usage
from keng.cli.shards import add_shard
from keng.cli.watch_files import stamps, watch
from keng.model import SEVERITIES, Finding, Pitfall, Skipped
from keng.pitfalls.select import Wrong, listed
from keng.source.text import decode

STDIN = "-"
EXAMPLES = """
  keng check                        check the current folder
  keng check train.py --diff        show the fixes without making them
  keng check src --fix              make the fixes that are safe
"""


def parser() -> Parser:
    parser = Parser("check", "Find pitfalls in source files, and fix them.", EXAMPLES)
    parser.add_argument("paths", nargs="*", default=["."], help="files, folders, or - for stdin")
    _add_fixes(parser)
    _add_choice(parser)
    _add_files(parser)
    _add_output(parser)
    return parser


def _add_fixes(parser: Parser) -> None:
    fixes = parser.add_argument_group("fixes")
    flag(fixes, "--fix", "make the safe fixes")
    flag(fixes, "--unsafe-fixes", "with --fix or --diff: include fixes that may change results")
    flag(fixes, "--diff", "show the fixes without making them")
    flag(fixes, "--show-fixes", "list the fixes that were made")
    old = parser.add_argument_group("existing findings")
    flag(old, "--add-ignore", "add a comment to each finding that silences it")
    old.add_argument("--baseline", metavar="FILE", help="report only findings that are not in FILE")
    flag(old, "--write-baseline", "write the findings to the baseline")


def _add_choice(parser: Parser) -> None:
    choice = parser.add_choice()
    flag(choice, "--hints", "report hints too: what works and has a better way")
    add_list(choice, "--extend-select", "NAMES", "report these as well")
    what = "do not report NAMES in files that match PATTERN"
    add_list(choice, "--per-file-ignores", "PATTERN:NAMES", what)
    what = "read this file instead of pyproject.toml or keng.toml"
    choice.add_argument("--config", metavar="FILE", help=what)


def _add_files(parser: Parser) -> None:
    files = parser.add_argument_group("files")
    add_list(files, "--exclude", "PATTERNS", "skip these files and folders")
    flag(files, "--force-exclude", "skip excluded files even if they are named")
    flag(files, "--no-gitignore", "check files that .gitignore excludes too")
    flag(files, "--markdown", "check the fenced Python code of Markdown pages too")
    flag(files, "--show-files", "list the files that would be checked")
    flag(files, "--no-cache", "analyse unchanged files again")
    add_shard(files)
    flag(files, "--watch", "check again whenever a file changes")
    what = "the name of the program on stdin"
    files.add_argument("--stdin-filename", metavar="PATH", default=STDIN, help=what)


def _add_output(parser: Parser) -> None:
    output = parser.add_output()
    what = "full by default"
    output.add_argument("--output-format", choices=FORMATS, default=_format(), help=what)
    output.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="output_format",
        help="the same as --output-format json",
    )
    what = "write the findings to FILE"
    output.add_argument(
        "-o", "--output", "--output-file", dest="output_file", metavar="FILE", help=what
    )
    flag(output, "--statistics", "count the findings by pitfall")
    add_quiet(output, "print only findings and errors")
    what = "exit with 1 only if there is a finding of this severity or worse"
    output.add_argument("--fail-on", choices=FAIL_ON, default=configured("fail-on"), help=what)
    what = "the same as --fail-on never"
    output.add_argument(
        "--exit-zero", action="store_const", dest="fail_on", const="never", help=what
    )
    parser.add_look()


def _format() -> object:
    return configured("output-format") or "full"


def main(args: list[str], texts: dict[str, str] | None = None) -> int:
    """`texts` by path are checked instead of files."""
    options = parser().parse(args)
    options.texts = texts
    _agree(options)
    try:
        if options.watch:
            return watch(lambda: _once(options), lambda: _stamps(options), options)
        gc.disable()  # what is parsed lives to the end; a search in it costs a third of the time
        return _once(options)
    except Wrong as wrong:
        raise usage(wrong) from None
    finally:
        gc.freeze()  # nor does Python search it as it ends


def _agree(options: argparse.Namespace) -> None:
    """Refuses options that contradict each other, and what the configuration says wrongly."""
    if options.output_format not in FORMATS:
        word = str(options.output_format)
        says = sentence("no_format", word=word, nearest=nearest(word, FORMATS))
        raise refused("check", says)
    if options.fail_on not in (None, *FAIL_ON):
        words = " or ".join(FAIL_ON)
        raise refused("check", sentence("no_fail_on", word=options.fail_on, words=words))
    acts = ("fix", "add_ignore", "write_baseline", "show_files")
    given = [f"--{act.replace('_', '-')}" for act in acts if getattr(options, act)]
    if len(given) > 1:
        raise refused("check", sentence("not_together", one=given[0], other=given[1]))
    if options.write_baseline and options.diff:
        says = sentence("not_together", one="--write-baseline", other="--diff")
        raise refused("check", says)
    if options.write_baseline and not options.baseline:
        raise refused("check", sentence("baseline_needed"))
    if options.shard:
        wants = ("fix", "diff", "add_ignore", "write_baseline", "watch", "statistics")
        for each in (name for name in wants if getattr(options, name)):
            option = f"--{each.replace('_', '-')}"
            raise refused("check", sentence("shard_with", option=option))
        if STDIN in options.paths:
            raise refused("check", sentence("shard_with", option=STDIN))
    if options.watch and STDIN in options.paths:
        raise refused("check", sentence("watch_needs_files"))
    if options.statistics and options.output_format not in ("full", "concise", "json"):
        raise refused("check", sentence("no_statistics_as", format=options.output_format))
    writable("check", options.output_file)
    writable("check", options.baseline if options.write_baseline else None)


def _once(options: argparse.Namespace) -> int:
    every = list(pitfalls.having("check"))
    paths = [] if options.texts else [path for path in options.paths if path != STDIN]
    with Progress() as progress:
        terms = _terms(options, every, progress)
        if options.show_files:
            found = terms.discovered(paths)
            return _show_files(terms.part(found) if terms.part else found, options)
        texts, skipped = _texts(options)
        if (options.fix or options.diff) and not options.add_ignore:
            unsafe = options.unsafe_fixes
            mended = check.mend(paths, every, unsafe=unsafe, texts=texts, terms=terms)
            progress.stop()
            return _mended(mended, texts, skipped, options)
        result = check.run(paths, every, texts=texts, terms=terms)
    skipped += result.skipped
    if options.write_baseline:
        return _write_baseline(result, skipped, options)
    if options.add_ignore:
        return _add_ignores(result, texts, skipped, options)
    Telling(options).result(check.counted(result), skipped)
    return _exit_code(result.findings, skipped, options)


def _terms(
    options: argparse.Namespace, every: Sequence[Pitfall], progress: Progress
) -> check.Terms:
    return check.Terms(
        rules=check.Rules(every, _asked(options), check.Configs(every, options.config)),
        gitignore=not options.no_gitignore,
        markdown=options.markdown,
        force_exclude=options.force_exclude,
        remember=not options.no_cache,
        baseline=_baseline(options),
        on_file=progress,
        part=options.shard.part if options.shard else None,
    )


def _baseline(options: argparse.Namespace) -> check.Baseline | None:
    """One that holds nothing where another is written, whatever a configuration names."""
    if options.write_baseline:
        return check.Baseline("", ())
    return check.load_baseline(options.baseline) if options.baseline else None


def _asked(options: argparse.Namespace) -> check.Settings:
    """The command line in the terms of a configuration file."""
    return check.Settings(
        select=listed(options.select) if options.select else None,
        ignore=listed(options.ignore),
        extend_select=listed(options.extend_select),
        per_file_ignores=tuple(_per_file(listed(options.per_file_ignores))),
        exclude=listed(options.exclude),
        suspicious=options.suspicious,
        hints=options.hints,
    )


def _per_file(words: Iterable[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """`tests/*:nan-loss,shape` says two names for one pattern."""
    pattern = ""
    for word in words:
        before, colon, name = word.rpartition(":")
        pattern = before if colon else pattern
        if not (pattern and name):
            option, form = "--per-file-ignores", "PATTERN:NAMES"
            raise refused("check", sentence("not_the_form", option=option, form=form, text=word))
        yield pattern, (name,)


def _stamps(options: argparse.Namespace) -> dict[str, object]:
    """What a watch compares: the files that are looked at, and those that say how."""
    try:
        terms = _terms(options, list(pitfalls.having("check")), Progress())
        files = [str(place) for place in terms.discovered(options.paths)]
    except Wrong as wrong:
        return {"wrong": str(wrong)}
    configs = terms.rules.configs.files if terms.rules else []
    return stamps([*files, *configs])


def _show_files(places: Iterable[Path | Skipped], options: argparse.Namespace) -> int:
    skipped = [place for place in places if isinstance(place, Skipped)]
    sys.stdout.writelines(f"{place}\n" for place in places if not isinstance(place, Skipped))
    Telling(options).skipped(skipped)
    return 2 if _failed(skipped) else 0


def _mended(
    mended: check.Mended, texts: dict[str, str], skipped: list[Skipped], options: argparse.Namespace
) -> int:
    result = mended.result
    skipped += result.skipped
    telling = Telling(options, sys.stderr if texts else sys.stdout)
    if options.diff:
        telling.diff(mended.changes)
        telling.fixed(mended, "would_fix")
        telling.not_fixed(mended)
        telling.skipped(skipped)
        return _exit_code(mended.fixed, skipped, options)
    skipped += _write(mended.changes, texts)
    telling.fixed(mended, "fixed")
    telling.result(check.counted(result), skipped)
    return _exit_code(result.findings, skipped, options)


def _add_ignores(
    result: check.Result, texts: dict[str, str], skipped: list[Skipped], options: argparse.Namespace
) -> int:
    ignored = check.ignore(result)
    telling = Telling(options)
    skipped += ignored.skipped
    if options.diff:
        telling.diff(ignored.changes)
    else:
        skipped += _write(ignored.changes, texts)
    key = "would_ignore" if options.diff else "ignored"
    telling.count(key, len(ignored.findings), len(ignored.changes))
    telling.skipped(skipped)
    return 2 if _failed(skipped) else 0


def _write(changes: Sequence[check.Change], texts: dict[str, str]) -> list[Skipped]:
    """Files are written; what came on standard input goes to standard output."""
    failures = [check.write(change) for change in changes if change.path not in texts]
    if texts:
        changed = {change.path: change.after for change in changes}
        sys.stdout.writelines(changed.get(path, text) for path, text in texts.items())
    return [failure for failure in failures if failure is not None]


def _write_baseline(
    result: check.Result, skipped: list[Skipped], options: argparse.Namespace
) -> int:
    file = options.baseline
    rows = check.entries(os.path.dirname(os.path.abspath(file)), result.findings, result.codes)
    write("check", file, check.as_json(rows))
    telling = Telling(options)
    telling.written(len(rows), file)
    telling.skipped(skipped)
    return 2 if _failed(skipped) else 0


def _texts(options: argparse.Namespace) -> tuple[dict[str, str], list[Skipped]]:
    if options.texts:
        return options.texts, []
    return _stdin(options.stdin_filename) if STDIN in options.paths else ({}, [])


def _stdin(name: str) -> tuple[dict[str, str], list[Skipped]]:
    source = decode(sys.stdin.buffer.read(), name)
    return ({}, [source]) if isinstance(source, Skipped) else ({name: source.document}, [])


def _exit_code(
    found: Sequence[Finding], skipped: Sequence[Skipped], options: argparse.Namespace
) -> int:
    if _failed(skipped):
        return 2
    if options.fail_on == "never":
        return 0
    worst = SEVERITIES[: SEVERITIES.index(options.fail_on or "hint") + 1]
    return 1 if any(finding.severity in worst for finding in found) else 0


def _failed(skipped: Iterable[Skipped]) -> bool:
    """Whether something was not checked that was to be, for another reason than a defect of keng."""
    return any(not each.ours for each in skipped)
