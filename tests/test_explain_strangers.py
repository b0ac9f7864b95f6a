"""Errors that have nothing to do with PyTorch: a wrong explanation is worse than none."""

from __future__ import annotations

import linecache
import traceback
from pathlib import Path

import numpy
import pytest

from keng import explain

DATA = Path(__file__).parent / "data"
PROGRAM = "/home/u/project/data.py"
NAMES = """
base64 bz2 collections configparser contextlib dataclasses datetime decimal fractions functools
gzip heapq importlib io ipaddress json lzma math operator os pathlib pickle queue random re secrets
shutil sqlite3 statistics string struct sys tarfile threading tomllib typing uuid weakref zipfile zlib
"""


def lines(name: str) -> list[str]:
    return (DATA / name).read_text("utf-8").splitlines()[1:]


def raised(program: str) -> str:
    """The traceback of a program of one line, as Python prints it."""
    scope = {"__name__": "data", "np": numpy}
    exec(
        "\n".join(f"try: import {name}\nexcept ImportError: pass" for name in NAMES.split()), scope
    )
    linecache.cache[PROGRAM] = (len(program), None, [program], PROGRAM)
    try:
        exec(compile(program, PROGRAM, "exec"), scope)
    except Exception as error:
        of = error.__traceback__.tb_next if error.__traceback__ else None
        return "".join(traceback.format_exception(type(error), error, of or error.__traceback__))
    return ""


@pytest.mark.parametrize("program", lines("raised_elsewhere.txt"))
def test_what_is_raised_elsewhere_is_not_claimed(program: str) -> None:
    text = raised(program)
    if not text:
        pytest.skip("this version of Python or NumPy raises nothing")
    if text.endswith("AttributeError: __enter__\n"):
        pytest.skip("Python 3.10 does not say of which type, and `no_grad` is one")
    explanation = explain.text(text, source=False)
    assert (explanation.pytorch, explanation.diagnoses) == (False, ()), text


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: hessian_out must be contiguous.",
        "ValueError: n_steps must be non-negative, got -1",
        "NotImplementedError: resample not implemented for Half",
        "UserWarning: Early stopping conditioned on metric `loss` which is not available.",
    ],
)
def test_what_a_library_that_knows_nothing_of_pytorch_raises_is_its_own(line: str) -> None:
    raises = "warnings.warn(" if "Warning" in line else f"raise {line.partition(':')[0]}("
    text = f"""Traceback (most recent call last):
  File "/home/u/train.py", line 9, in forward
    return smooth(x)
  File "/env/lib/python3.11/site-packages/LIBRARY/core.py", line 7, in smooth
    {raises}
{line}"""
    assert not explain.text(text.replace("LIBRARY", "sklearn"), source=False).diagnoses
    assert explain.text(text.replace("LIBRARY", "torch"), source=False).diagnoses


@pytest.mark.parametrize("line", lines("strangers.txt"))
def test_a_line_of_another_program_is_no_more_than_suspected(line: str) -> None:
    """The line alone may hide where it was raised."""
    explanation = explain.text(line.replace("\\n", "\n"), source=False)
    assert all(each.confidence < 0.6 for each in explanation.diagnoses), explanation


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: X has 10 features, but StandardScaler is expecting 12 features as input.",
        "RuntimeError: Optimal parameters not found: Number of calls to function has reached maxfev = 800.",
        "AssertionError: assert 3 == 4",
        "TypeError: Cannot read properties of undefined (reading 'map')",
    ],
)
def test_words_of_others_are_known(line: str) -> None:
    assert not explain.text(line, source=False).pytorch


ENV = "/env/lib/python3.11/site-packages"


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("saved-by-newer-torch", r"ValueError: invalid literal for int() with base 8: 'ons\nOrde'"),
        (
            "worker-exception-hidden",
            """  File "/home/u/pool.py", line 3, in hand_on
    raise self.exc_type(msg)
TypeError: HTTPError.__init__() missing 4 required positional arguments: 'code', 'msg', 'hdrs', and 'fp'""",
        ),
        (
            "unpicklable-for-workers",
            """  File "/home/u/train.py", line 3, in <module>
    kept = copy.deepcopy({"model": model.state_dict(), "log": log})
  File "/usr/lib/python3.11/copy.py", line 161, in deepcopy
    rv = reductor(4)
TypeError: cannot pickle '_io.TextIOWrapper' object""",
        ),
        (
            "optimizer-state-of-another-model",
            f"""  File "{ENV}/torch/optim/swa_utils.py", line 30, in avg
    averaged.lerp_(current, 0.1)
RuntimeError: The size of tensor a (91) must match the size of tensor b (7) at non-singleton dimension 0""",
        ),
        (
            "hdf5-handle-shared",
            f"""  File "{ENV}/torch/serialization.py", line 1100, in _save
    pickler.dump(obj)
TypeError: cannot pickle '_io.TextIOWrapper' object""",
        ),
        (
            "validation-records-gradients",
            f"""  File "{ENV}/torch/utils/_contextlib.py", line 116, in decorate_context
    return func(*args, **kwargs)
  File "/home/u/train.py", line 282, in validate
    scores = model(images)
RuntimeError: CUDA error: out of memory""",
        ),
        (
            "callable-overwritten",
            """  File "/home/u/jobs.py", line 3, in run
    found = list(jobs.names())
TypeError: 'list' object is not callable""",
        ),
        (
            "state-prefix",
            """RuntimeError: Error(s) in loading state_dict for DataParallel:
    Missing key(s) in state_dict: "module.head.weight", "module.head.bias". """,
        ),
        (
            "state-prefix",
            """RuntimeError: Error(s) in loading state_dict for AveragedModel:
    Unexpected key(s) in state_dict: "module.head.weight", "module.head.bias". """,
        ),
    ],
)
def test_what_is_near_a_message_is_not_it(unit: str, text: str) -> None:
    named = explain.text(f"Traceback (most recent call last):\n{text}", source=False).diagnoses
    assert unit not in [each.pitfall for each in named]
