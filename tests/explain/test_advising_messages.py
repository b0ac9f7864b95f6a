"""Messages that contain advice, arguments passed through a dictionary, and methods that return nothing."""

from __future__ import annotations

import pytest

from keng.explain.engine import explain_text


def note(text: str) -> str:
    return str(explain_text(text).note)


def test_advice_in_a_message_is_quoted() -> None:
    text = (
        "pytorch_lightning.utilities.exceptions.MisconfigurationException: Invalid type for foo: "
        "Expected bool but received str. Pass callback instances to the `callbacks` argument instead."
    )
    said = "Pass callback instances to the `callbacks` argument instead"
    assert note(text) == f"the message itself says what to do: {said}"


@pytest.mark.parametrize(
    "message",
    [
        "untraced buffer of the tensor. Please report this issue on github.com/pytorch/pytorch",
        "the useful part of a tensor is missing. Useful values follow",
        "use",
    ],
)
def test_sentences_without_advice_are_not_quoted(message: str) -> None:
    assert "says what to do" not in note(f"RuntimeError: {message}")


IN_LIBRARY = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    window.show()
  File "/opt/lib/python3.10/site-packages/{library}/gui.py", line 479, in show
    {line}
{error}"""


@pytest.mark.parametrize(
    ("library", "line", "error", "says"),
    [
        (
            "open_clip",
            "assert _has_transformers",
            "AssertionError: Please install transformers. `pip install transformers`.",
            "the message itself says what to do: `pip install transformers`",
        ),
        (
            "deepd3",
            "return super().setMinimum(value * self._multi)",
            "TypeError: setMinimum(self, a0: int): argument 1 has unexpected type 'float'",
            "argument 1 of `setMinimum` must be of type int, not float: "
            "write `int(...)` around it on that line",
        ),
        (
            "deepd3",
            "self.setParent(value)",
            "TypeError: setParent(self, a0: QWidget): argument 1 has unexpected type 'float'",
            "",
        ),
    ],
)
def test_advice_in_the_error_of_another_library_is_quoted(
    library: str, line: str, error: str, says: str
) -> None:
    assert note(IN_LIBRARY.format(library=library, line=line, error=error)) == says


def test_missing_argument_named_by_the_message() -> None:
    text = (
        "ValueError: You passed `packing=False` to the SFTTrainer/SFTConfig, but you didn't pass a "
        "`dataset_text_field` or `formatting_func` argument."
    )
    assert note(text).startswith("`dataset_text_field` or `formatting_func` is missing")


def test_unexpected_argument_is_traced_to_a_dictionary() -> None:
    text = (
        'pipe(cross_attention_kwargs={"scale": 0.8}) has a problem:\n'
        "TypeError: __call__() got an unexpected keyword argument 'scale'\n"
    )
    assert note(text).startswith('`scale` comes from `cross_attention_kwargs={"scale": 0.8}`')
    assert "comes from" not in note(text.replace("'scale'", "'size'"))


ASSIGNED = (
    "    optim = {}\n...\n    optim.step()\n"
    "AttributeError: 'NoneType' object has no attribute 'step'\n"
)


def test_name_assigned_from_a_method_that_returns_nothing() -> None:
    text = ASSIGNED.format("optim.load_state_dict(saved['optim'])")
    explanation = explain_text(text)
    assert "this method returns nothing" in str(explanation.note)
    assert explanation.pytorch


def test_name_assigned_from_a_call_that_returned_none() -> None:
    says = note(ASSIGNED.format("make_optimizer(model)"))
    assert says.startswith("`optim` is None: `make_optimizer(model)` returned None")


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("You cannot resume a sweep without providing the id of its run.", True),
        ("Cannot build the engine without installing the extra of its backend", True),
        ("You cannot resume a sweep without it.", False),
        ("The sweep ends without providing the id of its run.", False),
    ],
)
def test_condition_named_by_a_library_message_is_reported(message: str, names: bool) -> None:
    path = "/env/lib/python3.10/site-packages/accelerate/accelerator.py"
    text = f'  File "{path}", line 3, in prepare\n    raise ValueError(\nValueError: {message}\n'
    found = note(text)
    assert found.startswith("the message names the condition") == names


TOO_MANY = "TypeError: {}() takes 1 positional argument but 2 were given"


def test_keyword_only_method_of_a_library_with_positional_arguments() -> None:
    explanation = explain_text(TOO_MANY.format("PeftModelForCausalLM.generate"))
    assert "by the name of its parameter" in str(explanation.note)
    assert explanation.pytorch


def test_user_method_without_self() -> None:
    assert "by the name" not in note(TOO_MANY.format("Net.size"))


LACKS_ONE = (
    '  File "train.py", line 7, in make\n    {}\n'
    "TypeError: StepLR.__init__() missing 1 required positional argument: 'step_size'\n"
)


def test_missing_argument_of_a_call_that_passes_a_dictionary() -> None:
    assert "add it to `options.scheduler`" in note(
        LACKS_ONE.format("kind(optimizer, **options.scheduler)")
    )
    assert "add it to" not in note(LACKS_ONE.format("StepLR(optimizer, *given)"))
    assert "add it to" not in note(LACKS_ONE.format("kind(optimizer, gamma=2**power)"))


FAILED = """Traceback (most recent call last):
  File "train.py", line 9, in f
    y = torch.add(x, x)
RuntimeError: {message}"""


@pytest.mark.parametrize(
    "message",
    [
        "index does not support automatic differentiation for outputs with complex dtype.",
        "Unsupported value kind: Tensor",
        "the flattening of a shard is not yet implemented",
    ],
)
def test_message_that_names_a_limit_asks_for_a_newer_release(message: str) -> None:
    said = note(FAILED.format(message=message))
    assert said.startswith("the message names something that the installed torch does not support")


@pytest.mark.parametrize(
    "message",
    [
        "unsupported operand type(s) for +: 'int' and 'NoneType'",
        "'str' object does not support item assignment",
        "the supported sizes are too small",
    ],
)
def test_words_of_python_name_no_limit(message: str) -> None:
    assert "does not support. A newer" not in note(f"TypeError: {message}")


def test_limit_in_a_remark_is_not_that_of_the_call() -> None:
    message = "Dimension is out of bounds, got 3.  NB: negative ones are not currently supported"
    assert "does not support. A newer" not in note(FAILED.format(message=message))


def test_limit_of_a_call_of_another_library_is_not_put_down_to_torch() -> None:
    text = FAILED.format(message="Unsupported device in DLTensor.")
    assert "installed torch" in note(text)
    assert "installed torch" not in note(text.replace("torch.add(x, x)", "np.from_dlpack(x)"))
