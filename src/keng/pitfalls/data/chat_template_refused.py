r"""A conversation does not suit the template of the tokenizer.

`apply_chat_template` writes a conversation as the model has seen it in training, by a template that is stored with the tokenizer: a base model has none. A template may take fewer roles than are
given: Gemma's first ones and Mistral's want user and assistant in turn, and no system message. Messages are dicts with `role` and `content`; those of ShareGPT are called `from` and
`value`, and a template for text takes no list as `content`.

Cure: the tokenizer of the model that is tuned for chats (`...-Instruct`, `...-it`); the system's text at the head of the first user's message; rename `from` and `value`; with images,
the processor's `apply_chat_template` in place of the tokenizer's.

Bad:

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
ids = tokenizer.apply_chat_template([{"role": "user", "content": "hi"}])  # seen: base model
```

Bad (roles that the template does not take):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
chat = [{"role": "system", "content": "hi"}, {"role": "user", "content": "hi"}]
ids = tokenizer.apply_chat_template(chat)  # seen: `system`
```

Bad (messages of another form):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% for m in messages %}{{ m.role + ': ' + m.content }}{% endfor %}"
ids = tokenizer.apply_chat_template([{"from": "human", "value": "hi"}])  # seen: `role`
```

Bad (parts where a text is wanted):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% for m in messages %}{{ m.role + ': ' + m.content }}{% endfor %}"
chat = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
ids = tokenizer.apply_chat_template(chat)  # seen: `content`
```

Good:

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% for m in messages %}{{ m.role + ': ' + m.content }}{% endfor %}"
ids = tokenizer.apply_chat_template([{"role": "user", "content": "hi"}])
```

Message (transformers 4.44 to 4.57, of a processor; `base model`):

```text
ValueError: Cannot use apply_chat_template because this processor does not have a chat template.
```

Message (the templates of Mistral and Gemma; `in turn`):

```text
jinja2.exceptions.TemplateError: Conversation roles must alternate user/assistant/user/assistant/...
```

Message (jinja2, where a text is given for the messages; `role`):

```text
jinja2.exceptions.UndefinedError: 'str object' has no attribute 'role'
```

Message (transformers before 4.34; `4.34`):

```text
AttributeError: 'LlamaTokenizerFast' object has no attribute 'apply_chat_template'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import tokenizers, transformers")

NONE = "no template came with the tokenizer, as that of a base model has none: the one of the ...-Instruct model, or its chat_template.jinja beside the files"
SYSTEM = (
    "the template takes no system message: its text goes to the head of the first user's message"
)
pitfall.answers(
    {
        "Cannot use chat template functions because tokenizer.chat_template is not set": NONE,
        "because tokenizer.chat_template is not set and no template": NONE,
        "because this processor does not have a chat template": NONE,
        "has no attribute 'apply_chat_template'": "the installed Transformers is older than templates for conversations, which tokenizers have since 4.34 and processors later: pip install -U transformers",
        "System role not supported": SYSTEM,
        "Only user and assistant roles are supported": SYSTEM,
        "Conversation roles must alternate user/assistant": "the template wants user and assistant in turn, user first: join two messages of one role, and put a system message into the first of the user",
    },
    odds=0.95,
)


@pitfall.explains(
    r"'(?P<what>\w{2,20}) object' has no attribute '(?P<name>role|content)'", odds=0.95
)
def messages_of_another_form(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    form = "a text" if what == "str" else "a dict with other keys, as from and value"
    yield failure.hit(
        f"a message is {form} and has no `{name}`: [{{'role': 'user', 'content': 'text'}}], in a list"
    )


@pitfall.explains(r'can only concatenate str \(not "(?P<what>list|NoneType)"\) to str', odds=0.95)
def content_of_parts(failure: Failure) -> Hits:
    if failure.passed_through("chat_template_utils.py") or failure.passed_through("<template>"):
        yield failure.hit(
            f"a message's content is a {failure.groups['what']}, and this template joins texts: a str as `content`, or the processor of a model that takes "
            "images"
        )
