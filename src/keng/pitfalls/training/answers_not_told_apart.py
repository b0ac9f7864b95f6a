r"""A trainer cannot tell which tokens of a text are to be learned.

Only the answers are to enter the loss. TRL finds where an answer begins by the length of the prompt in tokens, or by `{% generation %}` marks in the chat template. A space at the end of a prompt, or a
template that changes what it has written as the talk goes on, makes other tokens of prompt and answer together than of the prompt alone, and the border is off.

Cure: no space at the end of a prompt, the space at the start of the answer; messages with roles, and a template that keeps its beginning; `{% generation %}` around the answers for
`assistant_only_loss`.

Bad:

```python
from datasets import Dataset
from trl import SFTConfig, SFTTrainer

data = Dataset.from_list([{"text": "The sky is blue."}])
config = SFTConfig("out", assistant_only_loss=True)
trainer = SFTTrainer("Qwen/Qwen3-0.6B", config, train_dataset=data)
```

Good:

```python
from datasets import Dataset
from trl import SFTConfig, SFTTrainer

question = {"role": "user", "content": "Of what colour is the sky?"}
answer = {"role": "assistant", "content": "Blue."}
data = Dataset.from_list([{"messages": [question, answer]}])
config = SFTConfig("out", assistant_only_loss=True)
trainer = SFTTrainer("Qwen/Qwen3-0.6B", config, train_dataset=data)
```

Message (TRL 0 and 1; `completion`):

```text
Mismatch between tokenized prompt and the start of tokenized prompt+completion. This may be due to unexpected tokenizer behavior, whitespace issues, or special token handling. Verify that the tokenizer is processing text consistently.
```

Message (TRL 1; `roles`):

```text
ValueError: You set `assistant_only_loss=True`, but the dataset is not conversational. This option is only supported for conversational datasets.
```

Message (TRL 1; `generation`):

```text
RuntimeError: You're using `assistant_only_loss=True`, but at least one example has no assistant tokens. This usually means the tokenizer's chat template doesn't generate assistant masks — it may be missing the `{% generation %}` keyword. Please check the template and ensure it's correctly configured to support assistant masking.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="TRL")

pitfall.answers(
    {
        "`assistant_only_loss=True`, but the dataset is not conversational": "the data holds texts, and answers are told apart by roles: a column `messages`, or assistant_only_loss=False",
        "`assistant_only_loss=True`, but at least one example has no assistant": "no answer is marked in a conversation: a template with {% generation %} around the answers, and an assistant's turn in each conversation",
    },
    odds=0.96,
)


@pitfall.explains(
    r"Mismatch between tokenized prompt and the start of tokenized prompt\+(?P<answer>completion|chosen|rejected)",
    odds=0.96,
)
def border_is_off(failure: Failure) -> Hits:
    yield failure.hit(
        f"prompt and {failure.groups['answer']} together begin with other tokens than the prompt alone, and the loss begins at a wrong one: no space at the end of the prompt, a template that keeps its beginning"
    )
