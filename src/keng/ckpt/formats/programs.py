"""The program of a torch.export archive, which is JSON: torch evaluates the expressions in it, looks up its
operators by name, and makes Python code of its names.

Schema: torch/_export/serde/schema.py. What is not of that schema is a trick.
"""

from __future__ import annotations

import json
import re

from keng.ckpt.formats.operators import known_operator
from keng.ckpt.formats.zip_directory import Archive
from keng.ckpt.nodes import Global
from keng.ckpt.pickle.budget import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VALUE = 4
"""Units of work (`ledger.WORK`) for a byte of JSON."""
FREE = {
    *(
        "stack_trace",
        "nn_module_stack",
        "torch_fn",
        "source_fn_stack",
        "torch_version",
        "as_string",
    ),
    *("as_strings", "context", "type", "custom", "seq_nr", "from_node"),
    *("autograd_backward", "partitioner_tag", "is_torch_jit_script", "module_fqn", "val"),
}
"""Keys of texts that torch stores, or repeats as a text."""
NAME = re.compile(r"[\w.\-:/$\[\]@ ]*")
"""Other texts: names of values, parameters and modules, of which torch makes code."""
IDENTIFIER = re.compile(r"(?:[A-Za-z_]\w*)?")
CODED = {"forward_arg_names", "name"}
"""Keys of names that become names of Python."""
FUNCTIONS = frozenset(
    """
Symbol Dummy Integer Float Rational Add Mul Pow Mod Max Min Abs floor ceiling Eq Ne Equality Unequality
Lt Le Gt Ge StrictLessThan LessThan StrictGreaterThan GreaterThan And Or Not Xor ITE Piecewise FloorDiv
ModularIndexing Where PythonMod CleanDiv CeilToInt FloorToInt CeilDiv LShift RShift PowByNatural
FloatPow FloatTrueDiv IntTrueDiv ToFloat TruncToFloat TruncToInt RoundToInt RoundDecimal Identity
OpaqueUnaryFn_sqrt OpaqueUnaryFn_cos OpaqueUnaryFn_cosh OpaqueUnaryFn_sin OpaqueUnaryFn_sinh
OpaqueUnaryFn_tan OpaqueUnaryFn_tanh OpaqueUnaryFn_asin OpaqueUnaryFn_acos OpaqueUnaryFn_atan
OpaqueUnaryFn_exp OpaqueUnaryFn_log OpaqueUnaryFn_log2 OpaqueUnaryFn_asinh BitwiseFn_bitwise_and
BitwiseFn_bitwise_or BitwiseFn_bitwise_xor IsNonOverlappingAndDenseIndicator
""".split()
)
"""What an expression may call: sympy's constructors, and those of torch.utils._sympy.functions."""
VALUES = re.compile(r"(?:[suzfi]\d{1,6}|[A-Za-z_]\w{0,40}|True|False|None|oo|int_oo)")
TOKENS = re.compile(
    r"\s+|(?P<text>'[A-Za-z_]\w{0,40}')|(?P<name>[A-Za-z_]\w*)(?P<call>\s*\()?|\d+(?:\.\d*)?(?:e[+-]?\d+)?"
    r"|\*\*|//|[<>=!]=|[-+*/%(),<>=&|~]"
)
OPENING = "(,=<>+-*/%&|~"
"""What may come before a parenthesis that is no call."""
KEYWORDS = {"lambda", "if", "else", "for", "in", "is", "import", "await", "yield"}
GUARD = re.compile(
    r"(?:\s+|L\['[A-Za-z_]\w*'\](?:\[(?:\d+|'\w+')\])*|\.(?:size|stride|storage_offset)\(\)(?:\[\d+\])?"
    r"|\b(?:and|or|not|True|False|None|is)\b|\d+(?:\.\d*)?|[<>=!]=|\*\*|//|[-+*/%()<>])*"
)
EVALUATED = Global("sympy", "sympify")
COMPILED = Global("torch.export", "guards_code")


def read(archive: Archive, name: str) -> None:
    """Reports what torch would evaluate that is more than arithmetic. Raises Broken."""
    ledger, file = archive.ledger, archive.source.path
    text = archive.bytes_of(name)
    ledger.spend(len(text) // VALUE)
    try:
        program = json.loads(
            str(text, "utf-8"), object_pairs_hook=lambda pairs: _once(pairs, ledger)
        )
    except (ValueError, RecursionError):
        ledger.trick(f"{name} is no JSON in UTF-8", file)
        return
    checked: set[tuple[str, str]] = set()  # names come again and again
    open_: list[tuple[str, Any]] = [("", program)]
    while open_:
        key, value = open_.pop()
        if isinstance(value, dict):
            open_ += value.items()
            open_ += (("key of " + key, each) for each in value)
        elif isinstance(value, list):
            open_ += ((key, each) for each in value)
        elif isinstance(value, str) and key not in FREE and (key, value) not in checked:
            checked.add((key, value))
            _check(key, value, ledger, file)


def _once(pairs: list[tuple[str, Any]], ledger: Ledger) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        ledger.trick("a name comes twice in the program of torch.export")
    return made


def _check(key: str, text: str, ledger: Ledger, file: str) -> None:
    if key == "expr_str" or key in ("key of range_constraints", "key of dims", "derived"):
        if not is_arithmetic(text):
            ledger.imported(EVALUATED)
            ledger.called(EVALUATED, (text,), file)
    elif key == "guards_code":
        if not GUARD.fullmatch(text):
            ledger.imported(COMPILED)
            ledger.called(COMPILED, (text,), file)
    elif key in ("target", "as_operator"):
        if not known_operator(text):
            ledger.imported(Global("", text))
    elif key in ("in_spec", "out_spec"):
        factories = re.findall(r"default_factory_module\W{1,40}(\w*)", text)
        if "\\u" in text or factories.count("builtins") < text.count("factory_module"):
            ledger.trick("a structure of torch.export names a module that is imported", file)
    elif not (IDENTIFIER if key in CODED else NAME).fullmatch(text):
        ledger.trick(f"a name in the program of torch.export is none: {text[:80]!r}", file)


def is_arithmetic(text: str) -> bool:
    """Whether an expression calls nothing but constructors of sympy, and reads no attributes."""
    at = 0
    while at < len(text):
        token = TOKENS.match(text, at)
        if token is None:
            return False
        name, before = token["name"], text[:at].rstrip()
        if token["call"] and name not in FUNCTIONS:
            return False
        if name and (name in KEYWORDS or name.startswith("__")):
            return False
        if token["text"] and not before.endswith(("Symbol(", "Dummy(")):
            return False
        if token[0] == "(" and before and before[-1] not in OPENING:
            return False  # a call of what is in parentheses
        at = token.end()
    return True
