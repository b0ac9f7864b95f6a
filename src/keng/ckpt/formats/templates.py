"""Chat templates: programs in Jinja that libraries run with the model. Only what the templates of honest
models use is known; everything else, and every name that begins with an underscore, is reported.

A sandbox stops most of it, and not every library has one (llama-cpp-python had none, CVE-2024-34359).
"""

from __future__ import annotations

import re

from keng.ckpt.nodes import Global
from keng.ckpt.pickle.budget import Ledger

WORK = 4
"""Units of work (`ledger.WORK`) for a byte."""
BLOCKS = re.compile(r"\{([{%#])[-+]?(.*?)[-+]?[}%#]\}", re.DOTALL)
TOKENS = re.compile(
    r"\s+|(?P<text>'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")|(?P<name>[^\W\d]\w*)|(?P<number>\d[\d_]*(?:\.\d+)?)"
    r"|(?P<sign>//|\*\*|[=!<>]=|[-+*/%~|.,:()\[\]{}<>=])",
    re.DOTALL,
)
STATEMENTS = frozenset(
    """
for endfor if elif else endif set endset macro endmacro generation endgeneration break continue filter
endfilter raw endraw
""".split()
)
FUNCTIONS = frozenset(
    "raise_exception strftime_now range namespace dict tojson caller loop".split()
)
METHODS = frozenset(
    """
get items keys values split rsplit splitlines strip lstrip rstrip startswith endswith upper lower title
capitalize replace join count find index append pop cycle isdigit isupper islower strftime removeprefix
removesuffix
""".split()
)
FILTERS = frozenset(
    """
abs batch capitalize count d default dictsort e escape first float from_json indent int items join last
length list lower map max min items rejectattr reject replace reverse round safe select selectattr sort
string sum title tojson trim truncate unique upper wordcount wordwrap
""".split()
)
OPERATORS = frozenset("and or not in is if else recursive".split())
BY_NAME = frozenset("map selectattr rejectattr sort sum unique min max join dictsort".split())
"""Filters that may be given the name of an attribute."""
PLACED = frozenset(
    "loop . index index0 revindex revindex0 length first last previtem nextitem | + - :".split()
)
"""What else than a number may stand in brackets."""
RENDERED = Global("jinja2", "Template.render")


def judge(text: str, key: str, ledger: Ledger, file: str) -> None:
    """Reports what a template does that is not known. Raises Broken where it is too long."""
    ledger.spend(len(text) * WORK)
    blocks = [(mark, code) for mark, code in BLOCKS.findall(text) if mark != "#"]
    rest = BLOCKS.sub("", text)
    if "{{" in rest or "{%" in rest:
        ledger.trick(f"the template `{key}` is not as Jinja writes one", file)
    own = {name for _, code in blocks for name in re.findall(r"\bmacro\s+(\w+)", code)}
    for mark, code in blocks:
        if reason := _reaches(code):
            ledger.trick(f"the template `{key}` reaches into Python: {reason[:80]!r}", file)
            ledger.imported(RENDERED)
            ledger.called(RENDERED, (reason,), file)
        elif reason := _odd(mark, code, own):
            ledger.trick(f"the template `{key}` has what keng does not know: {reason[:80]!r}", file)


def _reaches(code: str) -> str:
    """What leads from a value to its class, and from there to all of Python; empty where nothing does. Parts
    of such a name may be put together, or written with escapes."""
    for token in TOKENS.finditer(code):
        name, text = token["name"] or "", token["text"] or ""
        if (
            name.startswith("__")
            or "__" in text
            or "\\x5f" in text.lower()
            or "\\u005f" in text.lower()
        ):
            return name or text
    found = re.search(
        r"\|\s*attr\b|\b(?:mro|func_globals|gi_frame|cr_frame|f_globals|tb_frame)\b", code
    )
    return found[0] if found else ""


def _odd(mark: str, code: str, own: set[str]) -> str:
    """The first that is not known; empty where all is."""
    at, tokens = 0, []
    while at < len(code):
        token = TOKENS.match(code, at)
        if token is None:
            return code[at : at + 40]
        at = token.end()
        if token.lastgroup:
            tokens.append((token.lastgroup, token[0]))
    if mark == "%" and (not tokens or tokens[0][1] not in STATEMENTS):
        return tokens[0][1] if tokens else "{% %}"
    for n, (kind, said) in enumerate(tokens):
        before = tokens[n - 1][1] if n else ""
        if kind == "name" and said.startswith("_"):
            return said
        if before == "|" and said not in FILTERS:
            return f"| {said}"
        if before == "is" and said == "not":
            continue
        if kind == "text" and (said[1:2] == "_" or (n and tokens[n - 1][0] == "text")):
            return said
        if said == "(" and n and (reason := _called(tokens, n, own)):
            return reason
        if (
            before in BY_NAME
            and n > 1
            and tokens[n - 2][1] == "|"
            and (reason := _asked(tokens, n))
        ):
            return reason
        if said == "[" and n and (reason := _subscript(tokens, n)):
            return reason
    return ""


def _asked(tokens: list[tuple[str, str]], at: int) -> str:
    """What a filter is given as the name of an attribute, where that is not a text as it stands."""
    if tokens[at][1] != "(":
        return ""
    inside = [said for _, said in tokens[at + 1 : at + 5]]
    kinds = [kind for kind, _ in tokens[at + 1 : at + 5]]
    if inside[:2] == ["attribute", "="]:
        inside, kinds = inside[2:], kinds[2:]
    plain = kinds[:1] == ["text"] and inside[1:2] and inside[1] in (",", ")")
    return (
        "" if plain or inside[:1] == [")"] or inside[1:2] == ["="] else f"({' '.join(inside[:2])}"
    )


def _subscript(tokens: list[tuple[str, str]], at: int) -> str:
    """What is in the brackets behind a value, where that is more than a number or one text."""
    kind, said = tokens[at - 1]
    if (kind == "name" and said in STATEMENTS | OPERATORS) or (kind == "sign" and said not in ")]"):
        return ""  # a list
    inside = []
    for each in tokens[at + 1 :]:
        if each[1] == "]":
            break
        inside.append(each)
    if len(inside) == 1 and inside[0][0] == "text":
        return ""
    good = all(kind == "number" or said in PLACED for kind, said in inside)
    return "" if good else f"[{' '.join(said for _, said in inside)}]"


def _called(tokens: list[tuple[str, str]], at: int, own: set[str]) -> str:
    """What is before a parenthesis, where that is a call of something that is not known."""
    kind, said = tokens[at - 1]
    before = tokens[at - 2][1] if at > 1 else ""
    if kind in ("text", "number") or said in (")", "]", "}"):
        return f"{said}("
    if (
        kind != "name"
        or said in OPERATORS
        or said in STATEMENTS
        or before in ("|", "is", "macro", "not")
    ):
        return ""  # a group, or the arguments of a filter or test
    known = METHODS if before == "." else FUNCTIONS | own
    return "" if said in known else f"{said}("
