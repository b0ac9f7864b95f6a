r"""Code, most often that which a model brings, was written for an older Transformers.

A model that is loaded with `trust_remote_code=True` runs the code of its repository, which no release of Transformers carries along. Since 4.50 only a class that inherits from `GenerationMixin` can generate; 5 looks for what
`post_init()` sets, and has one way to call a tokenizer. Projects that copied such code, and
older tutorials, break at the same places.

Cure: a newer revision of the model, or a class of Transformers' own in its place; else the Transformers that the model was made with: `transformers_version` in its `config.json`. In code of one's own,
the newer name.

Bad (a tokenizer called the older way):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
batch = tokenizer.batch_encode_plus(["hi"])  # seen: `tokenizer(texts)`
```

Good:

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
batch = tokenizer(["hi"])
```

Message (transformers 5; `post_init()`):

```text
AttributeError: 'InternVLChatModel' object has no attribute 'all_tied_weights_keys'
```

Message (transformers 4.50 to 5; `GenerationMixin`):

```text
AttributeError: 'Phi3ForCausalLM' object has no attribute 'generate'
```

Message (transformers 4.45 to 5; `GenerationMixin`):

```text
PhiForCausalLM has generative capabilities, as `prepare_inputs_for_generation` is explicitly defined. However, it doesn't directly inherit from `GenerationMixin`. From 👉v4.50👈 onwards, `PreTrainedModel` will NOT inherit from `GenerationMixin`, and this model will lose the ability to call `generate` and other related functions.
```

Message (LAVIS 1.0; `transformers<4.27`):

```text
AssertionError: BLIP models are not compatible with transformers>=4.27, run pip install transformers==4.25 to downgrade
```

Message (of a project that was pinned; `transformers<=4.44.2`):

```text
ImportError: This version of FlagEmbedding requires transformers<=4.44.2
```

Message (transformers 4.22 to 4.24, of BLIP; `4.25 or 4.26`):

```text
ValueError: The following `model_kwargs` are not used by the model: ['encoder_hidden_states', 'encoder_attention_mask'] (note: typos in the generate arguments will also show up in this list)
```

Message (transformers 4.27 and later, of BLIP; `the 3 beams`):

```text
  File "/home/u/BLIP/models/blip.py", line 156, in generate
    outputs = self.text_decoder.generate(
  File "/env/lib/python3.10/site-packages/transformers/generation/utils.py", line 3014, in beam_search
    outputs = self(
  File "/home/u/BLIP/models/med.py", line 178, in forward
    attention_scores = attention_scores + attention_mask
RuntimeError: The size of tensor a (3) must match the size of tensor b (9) at non-singleton dimension 0
```

Message (transformers 4.53 to 5; `_update_causal_mask`):

```text
AttributeError: 'LlamaModel' object has no attribute '_update_causal_mask'
```

Bad (an argument that Transformers 5 does not know):

```python
import tempfile

from transformers import AutoModel, BertConfig, BertModel

folder = tempfile.mkdtemp()
BertModel(BertConfig(num_hidden_layers=1, hidden_size=12, vocab_size=9)).save_pretrained(folder)
model = AutoModel.from_pretrained(folder, load_in_4bit=True)  # seen: `BitsAndBytesConfig`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.older_transformers import ARGUMENTS, BEFORE, INSTEAD

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import tokenizers, transformers")

OF_ITS_TIME = "for code that a model brings its newer revision, or the transformers_version of its config.json"
HANDED_ON = "a text decoder as BLIP's hands this on, which generate refuses in transformers 4.22 to 4.24 alone: 4.25 or 4.26, or what the project's requirements name"
pitfall.answers({"not used by the model: ['encoder_hidden_states'": HANDED_ON}, odds=0.95)


@pitfall.explains(
    r"\b(?P<who>[A-Z][\w .-]{1,60}?) (?:is|are) (?:not |in)compatible with transformers ?(?P<bound>>=?) ?v?(?P<version>\d{1,2}(?:\.\d{1,3}){0,2})",
    r"\b(?P<who>[A-Z][\w .-]{1,60}?) requires? transformers ?(?P<bound><=?|==) ?v?(?P<version>\d{1,2}(?:\.\d{1,3}){0,2})(?!.{0,40}but you have)",
    odds=0.95,
)
def said_by_the_code(failure: Failure) -> Hits:
    who, bound, version = (failure.groups[key] for key in ("who", "bound", "version"))
    wanted = f"transformers{BEFORE.get(bound, bound)}{version}"
    yield failure.hit(
        f"{who}: made for {wanted}, and a newer one is installed: pip install '{wanted}', apart from what wants the newer"
    )


@pitfall.explains(
    r"\b(?P<who>\w{1,60}(?:Model|For\w{3,30}|LMHeadModel))\.__init__\(\) got an unexpected keyword argument '(?P<name>load_in_[48]bit|use_flash_attention_2|use_auth_token|resume_download)'",
    odds=0.95,
)
def argument_taken_away(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"from_pretrained does not know `{name}` in the transformers that is installed, and hands it to the class: {ARGUMENTS[name]}"
    )


@pitfall.explains(
    r"(?P<who>TokenizersBackend|\w{1,40}Tokenizer(?:Fast)?)(?:' object)? has no attribute '?(?P<name>(?:batch_)?encode_plus|additional_special_tokens|prepare_for_model|as_target_tokenizer|"
    r"build_inputs_with_special_tokens|create_token_type_ids_from_sequences|prepare_seq2seq_batch|sanitize_special_tokens)\b",
    r"'(?P<who>\w{1,60})' object has no attribute '(?P<name>_update_causal_mask|_extract_past_from_cache|get_head_mask|_convert_head_mask_to_5d)'",
    odds=0.95,
)
def taken_away(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    instead = f": `{INSTEAD[name]}`" if name in INSTEAD else ""
    yield failure.hit(
        f"the transformers that is installed has no `{name}` of {who}{instead}; {OF_ITS_TIME}"
    )


@pitfall.explains(
    r"The size of tensor a \((?P<rows>\d+)\) must match the size of tensor b \((?P<there>\d+)\) at non-singleton dimension 0\b",
    odds=0.96,
)
def repeated_twice(failure: Failure) -> Hits:
    rows, there = int(failure.groups["rows"]), int(failure.groups["there"])
    beams = there // max(rows, 1)
    searches = any("beam" in frame.function + frame.text for frame in failure.frames)
    if searches and beams > 1 and there == rows * beams and rows % beams == 0:
        yield failure.hit(
            f"what the encoder gave is repeated for the {beams} beams twice: generate repeats all that it hands on since transformers 4.27, and the model's own "
            "code does too, as BLIP's: leave that out, or transformers<4.27"
        )


@pitfall.explains(r"'(?P<who>\w{1,80})' object has no attribute 'all_tied_weights_keys'", odds=0.96)
def not_finished(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['who']} lacks what self.post_init() sets, which a model of Transformers 5 calls at the end of its __init__: {OF_ITS_TIME}"
    )


@pitfall.explains(
    r"'(?P<who>\w{1,60}(?:For(?:CausalLM|ConditionalGeneration)|LMHeadModel))' object has no attribute 'generate'",
    r"(?P<who>\w{1,80}) has generative capabilities, as `prepare_inputs_for_generation` is explicitly",
    odds=0.95,
)
def not_inherited(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['who']} does not inherit from GenerationMixin, without which no class generates since transformers 4.50: "
        f"class ...(PreTrainedModel, GenerationMixin); {OF_ITS_TIME}"
    )
