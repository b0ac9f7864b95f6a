"""The explain room: texts in all their wrappings, live exceptions, and what it must not claim."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import pytest
import torch
from torch import nn

from keng import explain
from keng.explain.alive import seen
from keng.explain.noise import cleaned
from keng.explain.patterns import literal
from keng.model import Explanation

PLAIN = """\
Traceback (most recent call last):
  File "/home/u/train.py", line 12, in <module>
    out = model(x)
          ^^^^^^^^
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1532, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/home/u/net.py", line 9, in forward
    return self.fc(x)
           ^^^^^^^^^^
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 116, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)"""

NOTEBOOK = """\
---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
Cell In[7], line 12
     10 for x, y in loader:
---> 12     out = model(x)
     13     loss = crit(out, y)

File /home/u/net.py:9, in Net.forward(self, x)
      8     x = self.conv(x)
----> 9     return self.fc(x)

File /opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py:116, in Linear.forward(self, input)
--> 116     return F.linear(input, self.weight, self.bias)

RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)"""

RICH = """\
╭───────────────────── Traceback (most recent call last) ──────────────────────╮
│ /home/u/train.py:12 in <module>                                              │
│                                                                              │
│   11 for x, y in loader:                                                     │
│ ❱ 12 │   out = model(x)                                                      │
│ /home/u/net.py:9 in forward                                                  │
│ ❱  9 │   return self.fc(x)                                                   │
│ /opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py:116 in forward │
│ ❱ 116 │   return F.linear(input, self.weight, self.bias)                     │
╰──────────────────────────────────────────────────────────────────────────────╯
RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)"""


def each_line(before: str) -> str:
    return "\n".join(before + line for line in PLAIN.splitlines())


WRAPPINGS = {
    "plain": PLAIN,
    "crlf": PLAIN.replace("\n", "\r\n"),
    "rank": each_line("[rank3]: "),
    "torchrun": each_line("[default0]:"),
    "quoted twice": each_line("> > "),
    "logger": each_line("2026-11-21 08:20:01,123 - ERROR - "),
    "ray": each_line("(TrainWorker pid=123, ip=10.0.0.1) "),
    "glog": each_line("E1121 08:20:01.123456 140 torch/x.cpp:12] "),
    "colours": "\x1b[0;31m" + PLAIN.replace("\n", "\x1b[0m\n\x1b[1m"),
    "progress bar": "Epoch 1:  50%|####  | 5/10 [00:01<00:01,  4.20it/s]" + PLAIN,
    "overwritten": "step 1\rstep 2\r\n" + PLAIN,
    "notebook": NOTEBOOK,
    "rich": RICH,
    "in a log": f"loading\nepoch 1 loss 2.3\n{PLAIN}\n\nbye\n",
    "C++ trace": PLAIN
    + "\nException raised from addmm at /pytorch/x.cpp:1 (most recent call first):\nframe #0",
    "3.13": PLAIN.replace("          ^^^^^^^^", "          ~~~~~^^^"),
}


@pytest.mark.parametrize("text", WRAPPINGS.values(), ids=WRAPPINGS)
def test_noise_around_a_traceback_changes_nothing(text: str) -> None:
    explanation = explain.text(text)
    (diagnosis,) = explanation.diagnoses
    assert diagnosis.pitfall == "layer-size-mismatch"
    assert diagnosis.hit.says == "`self.fc` takes 3 features, but gets 4: in_features=4"
    assert diagnosis.hit.where is not None
    assert (diagnosis.hit.where.path, diagnosis.hit.where.line) == ("/home/u/net.py", 9)


@pytest.mark.parametrize("end", [0, 1, 2])
def test_a_wrapped_message_is_read(end: int) -> None:
    message = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)"
    words = message.split(" ")
    wrapped = " ".join(words[: 4 + end]) + "\n" + " ".join(words[4 + end :])
    assert explain.text(wrapped).known


WORKER = """\
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    for x in loader:
  File "/v/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 7, in __next__
    data = self._next_data()
{kind}: Caught {kind} in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/v/lib/python3.11/site-packages/torch/utils/data/_utils/worker.py", line 3, in _worker_loop
    data = fetcher.fetch(index)
  File "data.py", line 9, in __getitem__
    return self.rows[i]
{kind}: {message}
"""


def test_an_error_in_a_worker_is_unwrapped() -> None:
    explanation = explain.text(
        WORKER.format(kind="IndexError", message="Target 3 is out of bounds.")
    )
    assert explanation.diagnoses[0].pitfall == "label-out-of-range"
    assert explanation.place is not None
    assert (explanation.place.path, explanation.place.line) == ("data.py", 9)


NOT_PYTORCH = {
    "a key": "Traceback (most recent call last):\n  File 't.py', line 3, in f\n    d['a']\nKeyError: 'a'",
    "in a worker": WORKER.format(kind="KeyError", message="'label'"),
    "numpy": "ValueError: operands could not be broadcast together with shapes (2,) (3,)",
    "pandas": "pandas.errors.ParserError: Error tokenizing data",
    "a name": "NameError: name 'moddel' is not defined",
    "a dictionary": "RuntimeError: dictionary changed size during iteration",
    "in a forward": PLAIN.replace(
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)", ""
    )
    + '  File "/home/u/net.py", line 20, in helper\n    return table[k]\nKeyError: 7',
}


@pytest.mark.parametrize("text", NOT_PYTORCH.values(), ids=NOT_PYTORCH)
def test_what_is_not_pytorchs_is_not_claimed(text: str) -> None:
    explanation = explain.text(text)
    assert not explanation.known
    assert not explanation.pytorch
    assert explanation.error


NOT_KNOWN = {
    "tensors": "RuntimeError: the tensors are of an unheard-of kind",
    "from torch": PLAIN.replace(
        "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)", "something new"
    ),
    "its own class": "torch.distributed.DistNetworkError: the client socket has failed",
}


@pytest.mark.parametrize("text", NOT_KNOWN.values(), ids=NOT_KNOWN)
def test_not_known_is_said(text: str) -> None:
    explanation = explain.text(text)
    assert not explanation.known
    assert explanation.pytorch
    assert not explanation.diagnoses


def test_nothing_to_explain_is_said() -> None:
    assert explain.text("  \n").note == "the text is empty"
    assert explain.text("all is well").note == "there is no error in this text"


def test_an_assertion_above_the_traceback_is_the_cause() -> None:
    text = (
        "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], "
        "thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
        'Traceback (most recent call last):\n  File "t.py", line 3, in <module>\n    loss.backward()\n'
        "RuntimeError: CUDA error: device-side assert triggered"
    )
    explanation = explain.text(text)
    assert explanation.diagnoses[0].pitfall == "label-out-of-range"


HOSTILE = {
    "binary": os.urandom(1_000_000).decode("utf-8", "replace"),
    "one long line": "RuntimeError: " + "a" * 5_000_000,
    "half a traceback": 'Traceback (most recent call last):\n  File "x.py", line',
    "many causes": (
        PLAIN + "\n\nDuring handling of the above exception, another exception occurred:\n\n"
    )
    * 3000,
    "white space": " " * 1_000_000 + "x",
    "bars": "|" * 1_000_000,
    "quotation": "> " * 500_000,
    "brackets": "[" * 500_000 + "]" * 500_000,
    "digits": "1" * 1_000_000,
    "percent": "1%|" * 300_000,
    "lines": "\n" * 500_000,
    "escapes": "\x1b[" * 500_000,
    "returns": "a\r" * 500_000,
    "frames": '  File "x", line 1, in f\n' * 40_000,
    "almost shapes": "mat1 and mat2 shapes cannot be multiplied (" * 20_000,
    "almost types": "RuntimeError: " + "Input type (" * 1_500 + ") and weight type (",
    "almost weights": "RuntimeError: Given groups=1, weight of size " + "1, " * 6_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_input_hurts(text: str) -> None:
    begun = time.process_time()
    assert isinstance(explain.text(text), Explanation)
    assert time.process_time() - begun < 5, "two seconds are promised, on a machine of its own"


def caught(program: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as info:  # noqa: PT011
        program()
    return info.value


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(9, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)


def test_the_layer_is_named_by_its_path_and_the_number_is_given() -> None:
    net = Net()
    explanation = explain.live(caught(lambda: net(torch.ones(2, 4))))
    hit = explanation.diagnoses[0].hit
    assert hit.says == "`net.body.2` takes 9 features, but gets 8: in_features=8"
    assert hit.where is not None
    assert hit.where.path == __file__


def test_operands_are_named_without_their_values() -> None:
    def program() -> object:
        secret = torch.full((2, 3), 12345.678)
        other = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
        return secret @ other.T

    live = seen(caught(program)).errors[-1].live
    told = {o.name: (o.shape, o.dtype, o.device, o.requires_grad, o.is_leaf) for o in live.operands}
    assert told["secret"] == ((2, 3), "float32", "cpu", False, True)
    assert told["other"] == ((2, 3), "float64", "cpu", True, True)
    assert "12345" not in repr(live)


class SpeechlessError(RuntimeError):
    def __str__(self) -> str:
        raise ValueError("no words")


def test_exceptions_that_misbehave_are_survived() -> None:
    one, other = RuntimeError("one"), RuntimeError("other")
    one.__cause__, other.__cause__ = other, one
    assert explain.live(one).error == "RuntimeError: one"
    assert explain.live(SpeechlessError()).error.endswith("SpeechlessError")
    error = RuntimeError("last")
    for n in range(3000):
        above = RuntimeError(str(n))
        above.__context__ = error
        error = above
    assert explain.live(error).error == "RuntimeError: 2999"
    if sys.version_info >= (3, 11):
        assert not explain.live(ExceptionGroup("many", [KeyError("a")])).known


def test_the_source_is_asked_too(tmp_path: object) -> None:
    path = os.path.join(str(tmp_path), "program.py")
    text = "import torch\nx = torch.ones(3)\nx.double()\nx.to(torch.float64)\ntorch.eye(3).double() @ x\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    error = caught(lambda: exec(compile(text, path, "exec"), {}))
    diagnosis = explain.live(error).diagnoses[0]
    assert diagnosis.pitfall == "tensor-move-discarded"
    assert diagnosis.hit.where is not None
    assert diagnosis.hit.where.line == 4
    assert diagnosis.hit.fix is not None
    assert "the source shows it" in diagnosis.why


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("plain words", "plain words"),
        (r"(?:a|b) long words (\d+) end", " long words "),
        (r"(?P<n>inner text)? rest", " rest"),
        (r"\d+", ""),
        (r"one (two three) four", "one two three four"),
    ],
)
def test_the_longest_certain_text_of_a_pattern(pattern: str, wanted: str) -> None:
    assert literal(pattern) == wanted


def test_cleaning_keeps_what_is_no_noise() -> None:
    text = "x[0]: y\n    indented\nRuntimeError: [1, 2]: 3 > 2"
    assert cleaned(text) == text
