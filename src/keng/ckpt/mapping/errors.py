"""What a message of `load_state_dict` lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from keng.ckpt.mapping.plan import Entry, Shape
from keng.tables.state_names import WRAPPERS

WRAPPED = tuple(f"{part}." for part in WRAPPERS)


SHAPES = (
    re.compile(
        r"[Ss]ize mismatch for (?P<key>\S{1,300}): copying a param (?:with shape|of) (?:torch\.Size\()?"
        r"\[(?P<file>[\d, ]*)\]\)? from checkpoint, "
        r"(?:the shape in current model|where the shape) is (?:torch\.Size\()?\[(?P<model>[\d, ]*)\]"
    ),
    re.compile(
        r"set a tensor of shape torch\.Size\(\[(?P<file>[\d, ]*)\]\) in \"(?P<key>\w+)\" \(which has shape "
        r"torch\.Size\(\[(?P<model>[\d, ]*)\]"
    ),
    re.compile(
        r"because (?P<key>[\w.]{1,300}) expected shape (?:tensor\(.{0,60}?size=\(|torch\.Size\(\[)"
        r"(?P<model>[\d, ]*)[)\]]+, but got torch\.Size\(\[(?P<file>[\d, ]*)\]"
    ),
    re.compile(
        r"copying the parameter named [\"']?(?P<key>[\w.]{1,300})[\"']?, whose dimensions in the model are "
        r"torch\.Size\(\[(?P<model>[\d, ]*)\]\) and whose dimensions in the checkpoint are "
        r"torch\.Size\(\[(?P<file>[\d, ]*)\]"
    ),
    re.compile(
        r"parameters of key (?P<key>[\w.]{1,300}) is not the same\. Pretrained model: torch\.Size\("
        r"\[(?P<file>[\d, ]*)\]\); your network: torch\.Size\(\[(?P<model>[\d, ]*)\]"
    ),
)
"""How torch, of today and of 0.4, accelerate, diffusers and nnU-Net tell of a shape that differs."""


HEADS = ("head", "cls", "class", "clf", "logit", "score", "pred")
"""How the parts of names begin that stand for the last layers of a model."""
LAST = {"fc", "out", "outc"}
"""What the last layer is called where it stands by itself."""
INSIDE = {"mlp", "ffn", "attn", "attention", "blocks", "encoder", "embedding", "token"}

INNER = re.compile(r"(?:^|\.)(?:mlp|ffn|attn|blocks)\.|pos")
"""Layers within a block, and tables of positions."""

KIND = re.compile(r"loading state_dict for (\w{1,100})")
WRAPPING = {"module.": "DataParallel", "_orig_mod.": "OptimizedModule"}
"""What a wrapper puts before all names, and how its class is called."""
HOLDS_ONE = re.compile(r"Parallel|Averag|E[mM][aA]|Engine|Wrap|Module")
"""What classes are called that may have a module of that name themselves."""
OF_THE_FIRST = re.compile(
    r"(?:\w{1,60}\.){1,5}?(?:conv_?[01]\w{0,20}|features\.0|layer_?[01]|0|stem\w{0,20}|\w{0,30}embed\w{0,20}|first\w{0,20})\."
)
"""A name of the first layers of a model."""


WORDS = re.compile(
    r"(?:^|\.)(?:emb(?:ed(?:ding)?s?)?|\w{0,20}(?:word|tok(?:en)?s?|vocab|lookup)\w{0,20}|wte)(?:\.\d)?\.weight$"
)
"""Names of tables with a row for each word; those of positions, queries, speakers or users say so."""

LONGEST_CUT = 30
"""Letters of a prefix that code cuts off by their number."""


class StateErrors(NamedTuple):
    """What `load_state_dict` could not fit: keys that the file lacks, keys that it has too many of, and
    of keys whose shapes differ the two shapes, the file's first."""

    missing: tuple[str, ...]
    unexpected: tuple[str, ...]
    shapes: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, message: str) -> StateErrors:
        text = " ".join(message.split())
        lists = {}
        for what in ("Missing", "Unexpected"):
            listed = text.partition(f"{what} key(s) in state_dict")[2]
            listed = re.split(r"\(s\) in state_dict|size mismatch for", listed, maxsplit=1)[0]
            lists[what] = tuple(filter(None, re.findall(r'"([^"]{0,300})"', listed)))
        sizes = {
            found["key"]: (f"[{found['file']}]", f"[{found['model']}]")
            for shape in SHAPES
            for found in shape.finditer(text)
        }
        absent = text.partition("because the following keys are missing:")[2]
        absent = absent.partition(". Please")[0]
        lists["Missing"] += tuple(re.findall(r"[\w.]{1,300}\w", absent))
        old = text.partition('missing keys in state_dict: "')[2]
        lists["Missing"] += tuple(re.findall(r"'([\w.]{1,300})\\?'", old))
        return cls(lists["Missing"], lists["Unexpected"], sizes)

    def __bool__(self) -> bool:
        return bool(self.missing or self.unexpected or self.shapes)

    @property
    def head(self) -> tuple[int, int]:
        """How many outputs the file has and how many the model, where nothing but the last layers differ, and
        those in nothing else; zeros otherwise."""
        sizes = [(_shape(file), _shape(model)) for file, model in self.shapes.values()]
        rest = all(len(one) == len(other) and one[1:] == other[1:] for one, other in sizes)
        named = all(map(_is_of_a_head, self.shapes))
        if (
            not (sizes and rest and named and all(map(all, sizes)))
            or self.missing
            or self.unexpected
        ):
            return 0, 0
        return sizes[0][0][0], sizes[0][1][0]

    @property
    def rows(self) -> tuple[int, int]:
        """The same of one layer that has no such name: nothing behind it counts with its rows."""
        sizes = {(_shape(file)[:1], _shape(model)[:1]) for file, model in self.shapes.values()}
        rests = [(_shape(file)[1:], _shape(model)[1:]) for file, model in self.shapes.values()]
        layers = {key.rpartition(".")[0] for key in self.shapes}
        alone = len(sizes) == len(layers) == 1 and all(
            one == other and len(one) < 2 for one, other in rests
        )
        inner = any(map(INNER.search, self.shapes))
        if not alone or inner or self.missing or self.unexpected:
            return 0, 0
        [(file, model)] = sizes
        return (file[0], model[0]) if file and model else (0, 0)

    @property
    def table_of_words(self) -> str:
        """The first table of words, where nothing but numbers of rows differ; nothing otherwise."""
        sizes = [(_shape(file), _shape(model)) for file, model in self.shapes.values()]
        rows = all(one[1:] == other[1:] for one, other in sizes)
        tables = [
            key
            for key, (file, _) in self.shapes.items()
            if WORDS.search(key) and len(_shape(file)) == 2
        ]
        return tables[0] if tables and rows and not (self.missing or self.unexpected) else ""

    @property
    def file(self) -> dict[str, Entry]:
        """What the message tells of the file: what fits is not in it."""
        sizes = {key: Entry(_shape(file)) for key, (file, _) in self.shapes.items()}
        return {**dict.fromkeys(self.unexpected, Entry()), **sizes}

    @property
    def model(self) -> dict[str, Entry]:
        sizes = {key: Entry(_shape(model)) for key, (_, model) in self.shapes.items()}
        return {**dict.fromkeys(self.missing, Entry()), **sizes}

    @property
    def cut_off(self) -> int:
        """How many letters a slice has cut off the names of the file, where these had no such part: the rest
        of each missing key is what is unexpected."""
        for letters in range(1, LONGEST_CUT):
            rests = {key[letters:] for key in self.missing} - {""}
            whole = all(key[letters - 1 : letters] == "." for key in self.missing)
            if len(rests) > 1 and rests == {*self.unexpected} and not whole:
                return letters
        return 0

    def wrapper(self) -> tuple[str, str]:
        """A part of the names that explains the difference, and who has it, "file" or "model"."""
        for longer, shorter, owner in (
            (self.unexpected, self.missing, "file"),
            (self.missing, self.unexpected, "model"),
        ):
            for part in _parts(longer, shorter):
                left = {key.replace(part, "", 1) for key in longer if part in key}
                if 2 * len(left & set(shorter)) > len(shorter):
                    return part, owner
        return "", ""

    def wrapper_by_class(self, message: str) -> tuple[str, str]:
        """The same, told by the class that is loaded into: of a list that was cut short too."""
        kind, cut = KIND.search(message), '".' not in message
        name, first = (kind[1] if kind else ""), (self.missing or ("",))[0]
        for part, wrapper in WRAPPING.items() if name else ():
            if self.unexpected and not HOLDS_ONE.search(name) and _begin(self.unexpected, part):
                return part, "file"
            bare = wrapper in name and cut and not self.unexpected and _begin(self.missing, part)
            if bare and OF_THE_FIRST.match(first):
                return part, "model"
        return "", ""


def _begin(keys: tuple[str, ...], part: str) -> bool:
    return all(key.startswith(part) for key in keys)


def _is_of_a_head(key: str) -> bool:
    parts = [part for part in re.split(r"[._\d]+", key) if part not in ("", "weight", "bias")]
    inside = INSIDE.intersection(parts)
    by_itself = len(parts) < 3 and not LAST.isdisjoint(parts)
    return not inside and (
        by_itself or any(part.startswith(HEADS) for part in parts[:1] + parts[-3:])
    )


def _parts(longer: tuple[str, ...], shorter: tuple[str, ...]) -> list[str]:
    """What may have come to the names of the longer side."""
    known, found = set(shorter), [part for part in WRAPPED if any(part in key for key in longer)]
    for key in longer[:3]:
        steps = key.split(".")
        fronts = [".".join(steps[:n]) + "." for n in range(1, len(steps))]
        found += [front for front in fronts if key.removeprefix(front) in known]
    return found


def _shape(text: str) -> Shape:
    return tuple(int(size) for size in re.findall(r"\d+", text))
