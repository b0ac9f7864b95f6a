"""`keng explain`: an error -> its cause, or a name -> the page of a pitfall."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable

from keng import pitfalls
from keng._util.texts import sentence, why
from keng.cli.commands import nearest, refused
from keng.cli.files import end_of, end_of_stdin, is_pipe, reader
from keng.cli.options import Parser, flag
from keng.cli.page import show_page
from keng.cli.progress import Progress
from keng.model import Explanation, Finding, Message
from keng.pitfalls.index import index
from keng.pitfalls.page import page_of
from keng.pitfalls.texts import advice_of
from keng.report import explanations, machines, records
from keng.report.places import near
from keng.report.screen import Line, Piece, Screen
from keng.report.translation import explanation_in, findings_in
from keng.report.words import Words

EXAMPLES = """
  python train.py 2>&1 | keng explain      show the output as it comes, and explain the error at its end
  keng explain train.log                   explain each error of a log
  keng explain -                           paste an error
  keng explain eval-mode-missing           print the page of a pitfall
"""
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
ADVISES = re.compile(r"[.:;] ")
"""Between what happened and what to do, in a message that says both."""
FILE = re.compile(r"\S*/\S*|\S+\.(log|txt|out|err|py)")


def parser() -> Parser:
    parser = Parser("explain", "Explain an error, or print the page of a pitfall.", EXAMPLES)
    what = "the text of an error, log files, words to search for, a pitfall's name, or - for stdin"
    parser.add_argument("what", nargs="*", help=what)
    parser.add_argument("--file", metavar="FILE", help="explain the error in FILE")
    flag(parser, "--clipboard", "explain the text on the clipboard")
    output = parser.add_output()
    flag(output, "--more", "print the page of the pitfall too")
    flag(output, "--all", "with the name of a pitfall: print its whole page")
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    what = " ".join(options.what)
    if options.clipboard:
        return _explain(_clipboard(), options, [])
    if options.file is None and NAME.fullmatch(what) and pitfalls.is_known(what):
        show_page(what, options)
        return 0
    files = [options.file] if options.file is not None else _files(options.what)
    if len(files) > 1:
        return _explain_each(files, options)
    if files:
        return _explain_file(files[0], options)
    if not what and not sys.stdin.isatty():
        return _explain_stdin(options)
    return _explain_words(what, options)


def _explain_words(what: str, options: argparse.Namespace) -> int:
    """The text of an error; of words that are none, the pitfalls that match them."""
    from keng.explain.engine import explain_text

    explanation = explain_text(_text(what))
    if what != "-" and not explanation.error and not explanation.place and not options.json:
        from keng.cli.pits import found, show_found

        if names := found(what, explanation.diagnoses):
            show_found([pitfalls.pitfall(name) for name in names], options)
            return 0
    return _show(explanation, options, [])


def _explain_stdin(options: argparse.Namespace) -> int:
    """The output of a program in a pipe is shown as it comes, and the explanation below it."""
    if options.json or not is_pipe(sys.stdin):
        return _explain(end_of_stdin(), options, [])
    sys.stdout.flush()
    text = end_of_stdin(sys.stdout.buffer)
    from keng.explain.engine import explain_text

    explanation = explain_text(text)
    if not explanation.error and not explanation.place:
        print(f"keng: {Words(options.lang)('no_error_in_output')}", file=sys.stderr)
        return 0
    sys.stdout.write("\n" if text.endswith("\n") else "\n\n")
    return _show(explanation, options, [])


def _clipboard() -> str:
    """Raises Usage where there is none, or no text on it."""
    try:
        import pyperclip  # type: ignore[import-untyped]
    except ImportError:
        package = "pyperclip"
        says = sentence("needs_package", what="--clipboard", package=package, spec=package)
        raise refused("explain", says) from None
    try:
        text: str = pyperclip.paste()
    except pyperclip.PyperclipException:
        raise refused("explain", sentence("clipboard_tools")) from None
    if not text.strip():
        raise refused("explain", sentence("clipboard_empty"))
    return text


def _files(words: list[str]) -> list[str]:
    """The files that the words are: all of them, or one whose name has spaces in it; none where they are
    the text of an error."""
    if _is_file(" ".join(words)):
        return [" ".join(words)]
    return words if any(map(_is_file, words)) and all(map(_may_be_file, words)) else []


def _may_be_file(word: str) -> bool:
    return _is_file(word) or FILE.fullmatch(word) is not None


def _is_file(what: str) -> bool:
    return 0 < len(what) < 4096 and "\n" not in what and os.path.exists(what)


def _text(what: str) -> str:
    if what == "-":
        if sys.stdin.isatty():
            print("keng: paste the error, then press Ctrl-D", file=sys.stderr)
        return end_of_stdin()
    if not what:
        raise refused("explain", sentence("explain_what"))
    if NAME.fullmatch(what):
        says = sentence("no_pitfall_or_file", word=what, nearest=_similar(what))
        raise refused("explain", says)
    if all(FILE.fullmatch(word) for word in what.split()):
        raise refused("explain", sentence("no_file", file=what.split()[0]))
    return what


def _similar(name: str) -> str:
    """ "; did you mean `that`?": a name that contains this one, or that is spelled like it."""
    longer = [each for each in pitfalls.names() if name in each]
    return nearest(name, longer or pitfalls.names(), 0.0 if longer else 0.6)


def _explain_file(path: str, options: argparse.Namespace, named: str = "") -> int:
    """What broke stands at the end of a log; what else is in it is told after that."""
    from keng.explain.engine import explain_log

    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file, Progress() as progress:
            _refuse_packed(path, file.peek(4)[:4])
            told = explain_log(file, lambda done: progress(done, size))
        return _explain(end_of(path), options, told, named)
    except OSError as error:
        raise refused("explain", why(error), path) from None


def _explain_each(paths: list[str], options: argparse.Namespace) -> int:
    """The logs of several ranks, as launchers write them. In JSON each is a line, with its path."""
    codes = []
    for n, path in enumerate(paths):
        if not options.json:
            head = [Piece("==> "), Piece(near(path), "place"), Piece(" <==")]
            Screen(sys.stdout, options.color).show([[]] * bool(n) + [head])
        codes.append(_explain_file(path, options, named=path))
    return min(codes)


def _refuse_packed(path: str, head: bytes) -> None:
    """What is no text would be told to hold no error."""
    if head.startswith(b"\x1f\x8b"):
        raise refused("explain", sentence("is_packed", file=path))
    if head == b"PK\3\4":
        raise refused("explain", sentence("is_no_text", file=path))


def _explain(
    text: str, options: argparse.Namespace, log: list[explanations.Told], path: str = ""
) -> int:
    """`path` is printed where there are several."""
    from keng.explain.engine import explain_text

    return _show(explain_text(text), options, log, path)


def _show(
    explanation: Explanation,
    options: argparse.Namespace,
    log: list[explanations.Told],
    path: str = "",
) -> int:
    errors = [told for told, _, _ in log if "Warning" not in told.error]
    if errors and (not explanation.error or "Warning" in explanation.error):
        explanation = errors[-1]
    others = [told for told in log if not explanations.same(told[0], explanation)]
    answers = on_this_machine(explanation)
    if options.json:
        record = records.of_explanation(explanation, _cure(explanation, Words(options.lang).lang))
        told = [records.of_finding(finding) for finding in answers]
        rest = [
            {"line": line, "times": times, **records.of_explanation(each)}
            for each, line, times in others
        ]
        told_of = {"path": path} if path else {}
        record = {**told_of, **record, "machine": told, "log": rest}
        print(json.dumps(record, indent=None if path else 2))
    else:
        screen, words = Screen(sys.stdout, options.color), Words(options.lang)
        screen.show(screen_of(explanation, screen, words))
        screen.show(machines.answers(findings_in(words.lang, answers), words, screen.width))
        others = [(explanation_in(words.lang, told), line, n) for told, line, n in others]
        screen.show(explanations.rest_of_log(others, words, screen.width))
        if options.more and explanation.diagnoses:
            screen.show([[]])
            show_page(explanation.diagnoses[0].pitfall, options)
    return 0 if explanation.error else 2


def on_this_machine(explanation: Explanation) -> list[Finding]:
    """What the machine tells of the causes, where any of them has something to ask it."""
    named = [diagnosis.pitfall for diagnosis in explanation.diagnoses]
    probed = [pitfall for pitfall in pitfalls.bearing(named) if pitfall.probers]
    if not probed:
        return []
    from keng.cli import env

    return env.answers(probed)


def screen_of(explanation: Explanation, screen: Screen, words: Words) -> Iterable[Line]:
    """The first screen, with what the pages of the causes say."""
    cure = _cure(explanation, words.lang)
    told = explanation_in(words.lang, explanation)
    return explanations.first_screen(told, cure, reader(), words, screen.width)


def _cure(explanation: Explanation, lang: str) -> str:
    """What to do about the first diagnosis: the advice of its message, or that of a page that is about no
    other message. The advice of other pages is for all their messages, and may not fit this one; it is
    as general as the title of the page, where no more than that is known."""
    best = next(iter(explanation.diagnoses), None)
    if best is None:
        return ""
    if not isinstance(best.hit.says, Message) and not ADVISES.search(best.hit.says):
        return page_of(pitfalls.pitfall(best.pitfall), lang).cure
    advice = advice_of(best.hit.says, lang, explanation.text)
    if advice or ADVISES.search(best.hit.says) or _has_other_messages(best.pitfall):
        return advice
    return page_of(pitfalls.pitfall(best.pitfall), lang).cure


def _has_other_messages(name: str) -> bool:
    return len({id for id, *_ in index().details(name)["messages"]}) > 1


def below_traceback(
    error: BaseException, explanation: Explanation, screen: Screen, words: Words
) -> list[Line]:
    """What is said where an error was raised: the first screen of one of PyTorch's; of another, whose it is
    and why it was raised, if the program has to do with torch. How a program ends is its own affair."""
    if not isinstance(error, Exception) or isinstance(error, SyntaxError):
        return []
    if explanation.pytorch:
        return list(screen_of(explanation, screen, words))
    if "torch" not in sys.modules:
        return []
    reason = explanations.reason_aside(explanation, words, screen.width)
    return [*explanations.aside(explanation, words), *reason]
