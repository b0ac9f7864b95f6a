r"""Questions without an answer are read as if each had one.

SQuAD 2.0, and what is made like it, holds questions that its text does not answer: `is_impossible` is true for them, and the list of answers is empty. A program for
SQuAD 1.1 takes the first answer of each. The other way round, a program for 2.0 asks a file of 1.1 for `is_impossible`, which that does not have. The files for
evaluation give several answers to a question.

Cure: the option of the script for such data, `--version_2_with_negative`, or the files of 1.1; in code of one's own the span (0, 0), the first token, where there is
no answer, or `dataset.filter(lambda row: row["answers"]["text"])`.

Bad:

```python
import torch

rows = [
    {"question": "How many?", "answers": {"text": ["four"], "answer_start": [3]}},
    {"question": "Why?", "answers": {"text": [], "answer_start": []}},
]
starts = torch.tensor([row["answers"]["answer_start"][0] for row in rows])  # seen: `no answer`
```

Good:

```python
import torch

rows = [
    {"question": "How many?", "answers": {"text": ["four"], "answer_start": [3]}},
    {"question": "Why?", "answers": {"text": [], "answer_start": []}},
]
starts = torch.tensor([(row["answers"]["answer_start"] or [0])[0] for row in rows])
```

Message (transformers, run_squad.py; `--version_2_with_negative`):

```text
ValueError: For training, each question should have exactly 1 answer.
```

Message (datasets, squad_v2 in a program for squad; `SQuAD 2.0`):

```text
Traceback (most recent call last):
  File "train.py", line 31, in prepare
    start_char = answer["answer_start"][0]
IndexError: list index out of range
```

Message (a file of SQuAD 1.1; `no is_impossible`):

```text
Traceback (most recent call last):
  File "run_squad.py", line 151, in read_squad_examples
    is_impossible = qa["is_impossible"]
KeyError: 'is_impossible'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

FIRST = re.compile(r"\[[\"']answer_start[\"']\]\[0\]|\bqa\[[\"']answers[\"']\]\[0\]")


@pitfall.explains(r"each question should have exactly 1 answer", odds=0.95)
def none_or_several(failure: Failure) -> Hits:
    yield failure.hit(
        "a question of the file has no answer, as some of SQuAD 2.0, or several, as in its dev files: --version_2_with_negative for 2.0, or the train file of 1.1"
    )


@pitfall.explains(r"^list index out of range|IndexError: list index out of range", odds=0.93)
def first_of_none(failure: Failure) -> Hits:
    text = failure.frames[-1].text if failure.frames else failure.around
    if FIRST.search(text):
        yield failure.hit(
            "a question has no answer, as some of SQuAD 2.0: the span (0, 0) for it, or such rows left out"
        )


@pitfall.explains(r"KeyError: 'is_impossible'", odds=0.93)
def asked_of_the_older_file(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is as SQuAD 1.1 and has no is_impossible, which 2.0 has: .get('is_impossible', False), or without --version_2_with_negative"
    )
