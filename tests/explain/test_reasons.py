"""Why an error was raised: the guard, its values, who passed them, what is accepted."""

from __future__ import annotations

import io
import json
import runpy
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from keng.cli.explain import screen_of
from keng.explain.engine import explain_live, explain_text
from keng.explain.reasons.stated import stated_in
from keng.model import Accepted, Condition, Explanation, Reason
from keng.report.reasons import headline, sources
from keng.report.records import of_explanation
from keng.report.screen import Screen
from keng.report.words import Words

Explain = Callable[[str], Explanation]


def caught(program: Path) -> BaseException:
    with pytest.raises(Exception) as info:  # noqa: PT011
        runpy.run_path(str(program), run_name="__main__")
    error = info.value
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code.co_filename != str(program):
        at = at.tb_next
    return error.with_traceback(at)


def pasted(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


@pytest.fixture
def live(tmp_path: Path) -> Explain:
    def explained(text: str) -> Explanation:
        program = tmp_path / "train.py"
        program.write_text(text)
        return explain_live(caught(program))

    return explained


@pytest.fixture
def from_text(tmp_path: Path) -> Explain:
    def explained(text: str) -> Explanation:
        program = tmp_path / "train.py"
        program.write_text(text)
        return explain_text(pasted(caught(program)))

    return explained


def reason(explanation: Explanation) -> Reason:
    assert explanation.reason is not None
    return explanation.reason


def values(explanation: Explanation) -> dict[str, tuple[str, str, str]]:
    """By the name: the value, what the user wrote, and how it came."""
    return {v.name: (v.value, v.text, v.how) for v in reason(explanation).values}


def shown(explanation: Explanation, lang: str = "en") -> list[str]:
    lines = screen_of(explanation, Screen(io.StringIO(), "never"), Words(lang))
    return ["".join(piece.text for piece in line) for line in lines]


GATE = """\
class Gate:
    def __init__(self, width, heads):
        self.width, self.heads = width, heads

    def split(self, x):
        steps = len(x)
        if steps % self.heads != 0:
            raise ValueError("sequence cannot be split among the heads")
        return steps // self.heads

"""


def test_an_attribute_is_followed_to_the_constructor(live: Explain) -> None:
    told = live(f"{GATE}gate = Gate(32, heads=4)\ngate.split([0] * 22)\n")
    assert reason(told).conditions == (Condition("steps % self.heads != 0"),)
    assert reason(told).raised_by == "Gate.split"
    assert reason(told).sure
    assert values(told) == {
        "steps": ("22", "len(x)", "assigned"),
        "self.heads": ("4", "Gate(32, heads=4)", "set"),
    }
    assert reason(told).accepted == (Accepted("multiple", "steps", "4", ("20", "24")),)


def test_the_same_from_a_pasted_traceback(from_text: Explain) -> None:
    told = from_text(f"{GATE}gate = Gate(32, heads=4)\ngate.split([0] * 22)\n")
    assert reason(told).conditions == (Condition("steps % self.heads != 0"),)
    assert values(told)["self.heads"] == ("4", "Gate(32, heads=4)", "set")
    assert not reason(told).live


def test_of_several_objects_the_one_with_the_value_is_named(live: Explain) -> None:
    told = live(f"{GATE}Gate(32, heads=2)\nGate(32, heads=4).split([0] * 22)\n")
    assert values(told)["self.heads"] == ("4", "Gate(32, heads=4)", "set")


def test_equal_objects_are_not_distinguished(live: Explain) -> None:
    told = live(f"{GATE}Gate(8, heads=4)\nGate(32, heads=4).split([0] * 22)\n")
    assert values(told)["self.heads"] == ("4", "", "")


def test_an_attribute_changed_later_is_not_traced_to_the_constructor(live: Explain) -> None:
    told = live(f"{GATE}gate = Gate(32, heads=2)\ngate.heads = 4\ngate.split([0] * 22)\n")
    assert values(told)["self.heads"] == ("4", "", "")


LADDER = """\
def scale(x, mode="mean", *, raises=True):
    if mode == "mean":
        return x
    elif mode in ("sum", "max"):
        return 2 * x
    else:
        raise ValueError(f"no such mode: {mode}")

"""


def test_elif_chain_lists_the_accepted_values(live: Explain) -> None:
    told = live(f'{LADDER}def run(kind):\n    return scale(1, mode=kind)\n\nrun("min")\n')
    assert reason(told).kind == "ladder"
    assert reason(told).accepted == (Accepted("one_of", "mode", "'mean', 'sum', 'max'"),)
    assert values(told) == {"mode": ("'min'", "mode=kind", "argument")}


GUARDS = {
    # body of a function of (a, b): the conditions, and what is accepted
    "if a < 0: raise ValueError('negative')": (
        [Condition("a < 0")],
        [Accepted("at_least", "a", "0")],
    ),
    "if not 0 <= a: raise ValueError('negative')": (
        [Condition("0 <= a", False)],
        [Accepted("at_least", "a", "0")],
    ),
    "if a > 5 or a < 0: raise ValueError('range')": (
        [Condition("a < 0")],
        [Accepted("at_least", "a", "0")],
    ),
    "if b is not None and a < 0: raise ValueError('both')": (
        [Condition("b is not None"), Condition("a < 0")],
        [Accepted("equal", "b", "None"), Accepted("at_least", "a", "0")],
    ),
    "assert a > b, 'order'": (
        [Condition("a > b", False)],
        [Accepted("above", "a", "`b` (4)")],
    ),
    "if a not in (1, 2): raise KeyError('member')": (
        [Condition("a not in (1, 2)")],
        [Accepted("one_of", "a", "1, 2")],
    ),
    "if not isinstance(a, (str, list)): raise TypeError('kind')": (
        [Condition("isinstance(a, (str, list))", False)],
        [Accepted("a", "a", "str | list")],
    ),
    "if b == 4:\n        if a < 0: raise ValueError('inner')": (
        [Condition("a < 0")],
        [Accepted("at_least", "a", "0")],
    ),
    "if a > 0: return\n    raise ValueError('early')": (
        [Condition("a > 0", False)],
        [Accepted("above", "a", "0")],
    ),
    "if raises:\n        if a < 0: raise ValueError('x')": (
        [Condition("a < 0")],
        [Accepted("at_least", "a", "0")],
    ),
    "if a < 0:\n        if raises: raise ValueError('switch')": (
        [Condition("a < 0")],
        [Accepted("at_least", "a", "0")],
    ),
    "assert a > 0 or (b > 5 and b < 4), 'two are missing'": (
        [Condition("a > 0", False), Condition("b > 5", False)],
        [Accepted("above", "a", "0")],
    ),
    "if a not in [1]: raise ValueError('single')": (
        [Condition("a not in [1]")],
        [Accepted("equal", "a", "1")],
    ),
    "if hasattr(b, 'real') and a: raise ValueError('attribute')": (
        [Condition("hasattr(b, 'real')"), Condition("a")],
        [],
    ),
}


@pytest.mark.parametrize("body", GUARDS)
def test_guards(live: Explain, body: str) -> None:
    told = live(f"def check(a, b, raises=True):\n    {body}\n\ncheck(-3, b=4)\n")
    conditions, limits = GUARDS[body]
    assert list(reason(told).conditions) == conditions
    assert list(reason(told).accepted) == limits
    assert reason(told).sure


def test_the_condition_around_a_guard_is_shown(live: Explain) -> None:
    told = live(
        "def check(a, b):\n    if b == 4:\n        if a < 0:\n"
        "            raise ValueError('x')\n\ncheck(-3, 4)\n"
    )
    assert reason(told).outer == Condition("b == 4")


def test_a_default_that_was_not_passed(live: Explain) -> None:
    told = live(
        "def score(y, average='binary'):\n    if average == 'binary':\n"
        "        raise ValueError('choose')\n\nscore(1)\n"
    )
    assert values(told) == {"average": ("'binary'", "'binary'", "default")}
    assert reason(told).accepted == (Accepted("given", "average"),)


def test_an_error_raised_in_a_handler_is_explained_by_the_first(live: Explain) -> None:
    told = live(
        "def inner(rate):\n    if rate < 0:\n        raise ValueError('negative')\n\n"
        "def outer(rate):\n    try:\n        inner(rate)\n    except ValueError:\n"
        "        raise RuntimeError('failed') from None\n\nouter(rate=-1)\n"
    )
    assert reason(told).conditions == (Condition("rate < 0"),)


WRAPPED = """\
import functools

def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper

class Net:
    @traced
    def run(self, first, second):
        if second < 0:
            raise ValueError(f"second is {second}")

"""


def test_arguments_go_through_wrappers(live: Explain) -> None:
    """The wrapper belongs to the user here, and its own call is not what the user means."""
    told = live(f"{WRAPPED}Net().run(1, -2)\n")
    assert values(told)["second"][0] == "-2"


PYTHONS = {
    "def load(path):\n    return None\nimage = load('x')\nimage.shape": (
        "none",
        "image",
        ("None", "load('x')", "assigned"),
    ),
    "settings = {'rate': 1}\nsettings['lr']": (
        "key",
        "settings",
        ("{'rate': ...}", "{'rate': 1}", "assigned"),
    ),
    "def share(total, parts):\n    return total // parts\nshare(8, parts=0)": (
        "division",
        "parts",
        ("0", "parts=0", "argument"),
    ),
    "rows = [1, 2]\nat = 2\nrows[at]": ("index", "at", ("2", "2", "assigned")),
    "pair = (1, 2)\npair.append(3)": ("attribute", "pair", ("(1, 2)", "(1, 2)", "assigned")),
    "pair = (1, 2)\na, b, c = pair": ("unpack", "pair", ("(1, 2)", "(1, 2)", "assigned")),
    "step = None\nfor each in step: pass": ("none", "step", ("None", "None", "assigned")),
    "step = None\nstep(1)": ("none", "step", ("None", "None", "assigned")),
    "step = None\nstep[1]": ("none", "step", ("None", "None", "assigned")),
}


@pytest.mark.parametrize("program", PYTHONS)
def test_errors_of_python_itself(live: Explain, program: str) -> None:
    kind, name, value = PYTHONS[program]
    told = live(f"{program}\n")
    assert reason(told).kind == kind
    assert values(told)[name] == value


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        ("Part(3)", "missing", "`heads`"),
        ("Part(3, head=1)", "keyword", "head"),
        ("Part(1, 2, 3)", "surplus", "4"),
    ],
)
def test_calls_that_do_not_fit(live: Explain, call: str, kind: str, said: str) -> None:
    told = live(f"class Part:\n    def __init__(self, size, heads):\n        pass\n\n{call}\n")
    assert (reason(told).kind, reason(told).conditions) == (kind, (Condition(said),))
    assert reason(told).outer == Condition("size, heads")


NO_REASON = {
    "raise ValueError('always')": "a raise without a guard in the user's own code",
    "int('x')": "raised in C",
    "undefined": "a name that does not exist",
    "[][0:1].foo.bar": "not the failing attribute of a None",
}


@pytest.mark.parametrize("program", NO_REASON)
def test_no_reason(live: Explain, program: str) -> None:
    found = live(f"{program}\n").reason
    assert found is None or found.kind == "attribute"


ZERO_HEADS = """\
Traceback (most recent call last):
  File "model.py", line 9, in <module>
    layer = nn.TransformerDecoderLayer(d_model=10, nhead=0)
  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/transformer.py", line 985, in __init__
    self.self_attn = MultiheadAttention(
  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/activation.py", line 1086, in __init__
    self.head_dim = embed_dim // num_heads
ZeroDivisionError: integer division or modulo by zero
"""


def test_a_divisor_inside_a_library_is_an_argument_of_the_user(tmp_path: Path) -> None:
    """The lines are those of another version of torch, and the user's file is not here."""
    told = explain_text(ZERO_HEADS)
    assert reason(told).kind == "division"
    assert values(told) == {"num_heads": ("0", "nhead=0", "argument")}
    documented = reason(told).documented
    assert documented is not None
    assert documented.parameter == "nhead"


ADAM = """\
Traceback (most recent call last):
  File "fit.py", line 7, in <module>
    optimizer = Adam(net.parameters(), lr=-0.1)
  File "/env/lib/python3.11/site-packages/torch/optim/adam.py", line {line}, in __init__
    raise ValueError(f"Invalid learning rate: {{lr}}")
ValueError: Invalid learning rate: {rate}
"""


def test_a_line_of_another_version_is_found_again() -> None:
    told = explain_text(ADAM.format(line=9, rate=-0.1))
    assert reason(told).conditions == (Condition("0.0 <= lr", False),)
    assert values(told)["lr"] == ("-0.1", "lr=-0.1", "argument")


def test_raise_site_of_another_version_is_not_used() -> None:
    text = ADAM.format(line=9, rate=-0.1).replace(
        'raise ValueError(f"Invalid learning rate: {lr}")', "raise ValueError(message_of_before)"
    )
    text = text.replace("Invalid learning rate: -0.1", "the learning rate is wrong")
    assert explain_text(text).reason is None or reason(explain_text(text)).kind == "absent"


def test_a_parameter_called_like_a_builtin(from_text: Explain) -> None:
    told = from_text(
        "def check(input, format):\n    if format != 'a' and input:\n        raise ValueError('no')\n\n"
        "check(input=data if False else 1, format='b')\n"
    )
    assert values(told)["input"][1:] == ("input=data if False else 1", "argument")
    assert values(told)["format"] == ("'b'", "format='b'", "argument")


def test_json_has_the_raise_the_guards_and_the_arguments() -> None:
    told = of_explanation(explain_text(ADAM.format(line=9, rate=-0.1)))
    assert told["error"] == "ValueError: Invalid learning rate: -0.1"
    text = "optimizer = Adam(net.parameters(), lr=-0.1)"
    assert told["place"] == {"path": "fit.py", "line": 7, "text": text}
    assert told["reason"]["kind"] == "guard"
    assert told["reason"]["raised_by"] == "Adam"
    assert told["reason"]["path"].endswith("torch/optim/adam.py")
    assert told["reason"]["guards"] == [{"text": "0.0 <= lr", "holds": False}]
    assert told["reason"]["values"] == [
        {
            "name": "lr",
            "value": "-0.1",
            "text": "lr=-0.1",
            "how": "argument",
            "path": "fit.py",
            "line": 7,
        }
    ]
    json.dumps(told)


def test_left_out_frames_give_no_argument() -> None:
    """`main()` did not call the constructor of Adam: the frames in between were not pasted."""
    text = ADAM.format(line=9, rate=-0.1).replace("Adam(net.parameters(), lr=-0.1)", "main()")
    assert values(explain_text(text))["lr"] == ("-0.1", "", "")


def test_a_message_with_a_setting_and_its_limit() -> None:
    found = stated_in("max_num_seqs (1024) exceeds available Mamba cache blocks (969).")
    assert found is not None
    assert found.accepted == (Accepted("at_most", "max_num_seqs", "969"),)


@pytest.mark.parametrize(
    "message",
    [
        "size (3) exceeds the limit (2)",
        "max_num_seqs (9) exceeds available Mamba cache blocks (969).",
        "max_num_seqs exceeds the limit",
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
    ],
)
def test_no_setting_and_limit(message: str) -> None:
    assert stated_in(message) is None


def test_first_screen_begins_with_the_reason(live: Explain) -> None:
    told = live(f"{GATE}gate = Gate(32, heads=4)\ngate.split([0] * 22)\n")
    lines = shown(told)
    assert lines[0] == (
        "raised because `steps % self.heads != 0`: `steps` is 22, `self.heads` is 4"
    )
    assert "  accepted: `steps` is a multiple of 4, such as 20 or 24" in lines
    assert len(lines) <= 15
    assert max(len(line) for line in lines if "-->" not in line) <= 80


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_has_words_in_both_languages(live: Explain, lang: str) -> None:
    for program in (
        *PYTHONS,
        f"{GATE}Gate(32, heads=4).split([0] * 22)",
        f"{LADDER}scale(1, 'min')",
    ):
        found = reason(live(f"{program}\n"))
        text = headline(found, Words(lang))
        assert text
        assert "{" not in text.partition("{'")[0]
        assert all(sources(found, None, Words(lang)))


def test_a_known_error_keeps_its_cause_and_gets_the_check_as_evidence() -> None:
    told = explain_text(ADAM.format(line=9, rate=-0.1))
    lines = shown(told)
    assert told.known
    assert lines[0].startswith(("certain", "likely"))
    assert "  check: `0.0 <= lr` is false: `lr` is -0.1" in lines
    assert "  given: `lr` is passed as `lr=-0.1`" in lines
    assert len(lines) <= 15


def test_constructor_of_a_base_is_not_bound_by_the_call_of_the_class(live: Explain) -> None:
    """`LSTM(13, 64)` gives `input_size` first; the constructor of its base has `mode` before it."""
    program = """import torch
BANDS = 13
class Net(torch.nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.lstm = torch.nn.LSTM(BANDS, hidden)
    def forward(self, x):
        return self.lstm(x)
Net()(torch.zeros(5, 2, 40))
"""
    texts = [text for text, *_ in values(live(program)).values()]
    assert not any("hidden" in text for text in texts)


def test_constructor_of_a_dataclass_is_not_the_place(live: Explain) -> None:
    program = """from dataclasses import dataclass
@dataclass
class Plan:
    steps: int
    def __post_init__(self):
        if self.steps < 1:
            raise ValueError(f"steps is {self.steps}")
Plan(steps=0)
"""
    place = live(program).place
    assert place is not None
    assert not place.path.startswith("<")


def test_empty_library_variable_is_not_a_reason(tmp_path: Path) -> None:
    library = tmp_path / "site-packages" / "settings"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text(
        "import os\ndef read():\n    found = os.environ.get('KENG_ABSENT')\n"
        "    if not found:\n        raise ValueError('KENG_ABSENT is expected')\n"
    )
    program = tmp_path / "train.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(library.parent)!r})\nimport settings\nsettings.read()\n"
    )
    assert explain_live(caught(program)).reason is None
