"""What a message itself says is to be done, where keng knows no more of it."""

from __future__ import annotations

import re

from keng._util.texts import sentence
from keng.model import Message

LONGEST = 3_000
MOST_SAID = 220
SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z`'\"])|\n\s*\n")
VERBS = (
    r"pass|use|set|install|upgrade|update|downgrade|specify|provide|remove|replace|call|wrap|convert|add|"
    r"change|choose|select|enable|disable|load|move|initialize|create|define|rename|reduce|increase|run|try|"
    r"configure|register|import|clone|detach|cast|pad|resize|flatten|reshape|reinstall|rebuild|restart|"
    r"check that|make sure|ensure"
)
BEFORE = r"(?:instead|alternatively|to (?:fix|solve|avoid|resolve|silence) (?:this|it|that)[\w ]{0,30}),? "
ASKS = (
    r"(?:please|you (?:need to|should|must|have to|can)) "
    r"(?:also |instead |directly |explicitly |manually )?"
)
ADVICE = re.compile(rf"(?:{BEFORE})?(?:{ASKS})?(?:{VERBS})\b .{{6,}}", re.IGNORECASE | re.DOTALL)
NOT_ADVICE = re.compile(
    r"\b(?:report|issue|bug|github\.com|see above|traceback|log file|try again later|stack ?trace|"
    r"CUDA_LAUNCH_BLOCKING)\b",
    re.IGNORECASE,
)
TYPED = re.compile(r"`(?P<command>(?:python -m )?(?:pip3?|conda|uv pip) install [^`\n]{2,80})`")
"""A command that a message gives."""
BINDING = re.compile(
    r"^(?P<function>[\w.]+)\((?:self, )?(?P<takes>[^()]*)\): "
    r"argument (?P<at>\d) has unexpected type '(?P<kind>\w+)'"
)
"""What the bindings of Qt say of an argument."""
CONVERTERS = frozenset({"int", "float", "str", "bool"})
LACKS = re.compile(
    r"\b[Yy]ou (?:have )?passed (?P<given>`?[^`,.]{2,60}`?)[^.]{0,60}?,? but (?:you )?"
    r"(?:didn't|did not|have not|haven't) pass(?:ed)? (?:an? |the |any )?"
    r"(?P<lacks>[^.]{3,100}?)(?: arguments?)?[.]?$"
)

WITHOUT = re.compile(
    r"^(?:[Yy]ou )?(?:[Cc]annot|[Cc]an ?not|[Cc]an't) (?P<done>[a-z][^.]{3,100}?) without "
    r"(?P<missing>(?:specifying|providing|passing|setting|giving|defining|adding|"
    r"installing|enabling) [^.]{3,100})[.]?$"
)
"""A condition that the call does not meet."""

LIMIT = re.compile(
    r"\b(?:(?:does|do) ?n[o']t (?:yet |currently )?support"
    r"|(?:is|are) (?:currently )?(?:not|un)[ -]?(?:yet |currently )?(?:supported|implemented)"
    r"|not (?:yet |currently )?(?:supported|implemented)|[Uu]nsupported|(?:CPU|CUDA|GPU)-only"
    r"|(?:does|do) ?n[o']t know (?:how|what) to)\b"
)
OF_PYTHON = re.compile(r"unsupported (?:operand|format)|does not support item|support indexing")
"""What Python says of an object, and of no limit of a library."""

ASIDE = re.compile(r"(?<=[.)]) {1,4}N\.?B\b.*", re.DOTALL)
"""A remark behind what a message says of the call."""


def names_a_limit(message: str) -> bool:
    """Whether a message says that something is not supported, which a later release may do."""
    said = ASIDE.sub("", message)
    return LIMIT.search(said) is not None and OF_PYTHON.search(said) is None


def advised(message: str) -> Message | None:
    """The sentence of a message that tells its reader what to do, or what it says was not passed."""
    text = message[:LONGEST]
    typed = TYPED.search(text)
    if typed is not None:
        return sentence("message_advises", advice=f"`{typed['command']}`")
    if (binding := BINDING.search(text)) is not None:
        return _conversion(**binding.groupdict())
    for said in SENTENCE.split(text):
        said = " ".join(said.split())
        lacks = LACKS.search(said)
        if lacks is not None:
            return sentence("message_lacks", given=lacks["given"], lacks=lacks["lacks"])
        if (without := WITHOUT.match(said)) is not None:
            return sentence("message_without", **without.groupdict())
        if ADVICE.match(said) and not NOT_ADVICE.search(said):
            return sentence("message_advises", advice=_short(said.rstrip(".")))
    return None


def _conversion(function: str, takes: str, at: str, kind: str) -> Message | None:
    """How an argument gets the type that a signature such as `a0: int` asks for."""
    types = [each.partition(":")[2].strip() for each in takes.split(",")]
    wanted = types[int(at) - 1] if 0 < int(at) <= len(types) else ""
    if wanted not in CONVERTERS:
        return None
    return sentence("argument_converted", at=at, function=function, wanted=wanted, kind=kind)


def _short(said: str) -> str:
    return said if len(said) <= MOST_SAID else f"{said[:MOST_SAID].rpartition(' ')[0]} ..."
