"""Texts that were pasted without their beginning, or within Markdown's marks."""

from __future__ import annotations

from keng import explain
from keng.explain.clean import clean
from keng.explain.read import read


def test_a_file_line_without_its_beginning_is_a_frame() -> None:
    text = """the error 'envs/a/site-packages/unicore/trainer.py", line 349, in load_checkpoint
    state["model"], strict=False
KeyError: 'model' is raised."""
    [error] = read(clean(text)).errors
    [frame] = error.frames
    assert (frame.line, frame.function, frame.text) == (
        349,
        "load_checkpoint",
        'state["model"], strict=False',
    )


def test_frames_of_ipython_are_read_without_the_head() -> None:
    text = """~/lib/python3.6/site-packages/torch_geometric/data/data.py in __init__(self, x)
     85                 self[key] = item
---> 87         if edge_index.dtype != torch.long:

AttributeError: 'list' object has no attribute 'dtype'"""
    [error] = read(clean(text)).errors
    assert [frame.line for frame in error.frames] == [87]


def test_a_path_in_a_sentence_is_no_frame() -> None:
    text = "see train.py in utils for more\nValueError: too bad"
    [error] = read(clean(text)).errors
    assert not error.frames


def test_a_lone_backtick_at_an_end_is_markdowns() -> None:
    assert clean("`File one\nAssertionError`\n`code` stays") == [
        "File one",
        "AssertionError",
        "`code` stays",
    ]


def test_an_assert_without_words_of_a_library_shows_what_was_asserted() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 3, in <module>
    resample(x)
  File "/env/lib/python3.9/site-packages/torchaudio/compliance/kaldi.py", line 802, in resample
    assert waveform.dim() == 2
AssertionError"""
    named = explain.text(text, source=False).diagnoses
    assert [each.pitfall for each in named] == ["batch-dimension-missing"]
    own = text.replace("/env/lib/python3.9/site-packages/torchaudio/compliance/", "")
    assert not explain.text(own, source=False).diagnoses


def test_an_assert_on_the_cards_shows_what_was_asserted_whosever_it_is() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 123, in <module>
    assert num_gpu <= torch.cuda.device_count()
AssertionError"""
    named = explain.text(text, source=False).diagnoses
    assert [each.pitfall for each in named] == ["launcher-options-contradict"]
    other = text.replace("torch.cuda.device_count()", "len(cards)")
    assert not explain.text(other, source=False).diagnoses


def test_a_message_worded_otherwise_is_known_below_the_frames_of_a_library_over_torch() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 12, in <module>
    model.merge_and_unload()
  File "/env/lib/python3.11/site-packages/peft/tuners/oft/model.py", line 168, in merge
    raise ValueError("Cannot merge OFT layers when the model is gptq quantized")
ValueError: Cannot merge OFT layers when the model is gptq quantized"""
    named = explain.text(text, source=False).diagnoses
    assert [each.pitfall for each in named] == ["adapter-not-there"]
    other = text.replace("site-packages/peft/", "site-packages/keras/")
    assert not explain.text(other, source=False).diagnoses
