r"""A model is asked to generate what it cannot.

`generate` extends a sequence one token at a time. It needs a model with a head over the vocabulary; `max_length` counts the prompt too,
`max_new_tokens` does not; the dict of a tokenizer may hold keys that the forward does not take; a batch of several lengths for a decoder
is padded on the left, so that the last token is a real one.

Cure: `AutoModelForCausalLM` (or `...Seq2SeqLM`), `max_new_tokens=n`, `padding_side="left"` with `pad_token = eos_token`, and the attention mask
given along.

Bad:

```python
import torch
from transformers import GPT2Config, GPT2Model

model = GPT2Model(GPT2Config(n_layer=1))
tokens = model.generate(torch.tensor([[7454, 2402]]), max_new_tokens=2)
```

Good:

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
tokens = model.generate(torch.tensor([[7454, 2402]]), max_new_tokens=2, pad_token_id=50256)
```

Message (transformers; `GPT2Model`):

```text
TypeError: The current model class (GPT2Model) is not compatible with `.generate()`, as it doesn't have a language model head. Please use one of the following classes instead: {'GPT2LMHeadModel'}
```

Message (transformers; `600`):

```text
ValueError: Input length of input_ids is 600, but `max_length` is set to 512. This can lead to unexpected behavior. You should consider increasing `max_length` or, better yet, setting `max_new_tokens`.
```

Message (transformers; `token_type_ids`):

```text
ValueError: The following `model_kwargs` are not used by the model: ['token_type_ids'] (note: typos in the generate arguments will also show up in this list)
```

Message (transformers; `left`):

```text
A decoder-only architecture is being used, but right-padding was detected! For correct generation results, please set `padding_side='left'` when initializing the tokenizer.
```

Message (transformers; `left`):

```text
ValueError: You are attempting to perform batched generation with padding_side='right' this may lead to unexpected behaviour for Flash Attention version of Mistral. Make sure to  call `tokenizer.padding_side  = 'left'` before tokenizing the input.
```

Message (transformers; `num_beams`):

```text
ValueError: Greedy methods without beam search do not support `num_return_sequences` different than 1 (got 3).
```

Message (transformers 4 and 5; `bos_token_id`):

```text
ValueError: `bos_token_id` has to be defined when no `input_ids` are provided.
```

Message (transformers 4 and 5; `decoder_start_token_id`):

```text
ValueError: `decoder_start_token_id` or `bos_token_id` has to be defined for encoder-decoder generation.
```

Message (transformers 4 and 5; `do_sample=False`):

```text
ValueError: `temperature` (=0.0) has to be a strictly positive float, otherwise your next token scores will be invalid. If you're looking for greedy decoding strategies, set `do_sample=False`.
```

Message (transformers 4 and 5; `num_beams`):

```text
ValueError: `num_return_sequences` (5) has to be smaller or equal to `num_beams` (3).
```

Message (transformers 4 and 5; `max_new_tokens`):

```text
ValueError: `max_new_tokens` must be greater than 0, but is 0.
```

Message (transformers 5; `BertModel`):

```text
AttributeError: 'BertModel' object has no attribute 'generate'
```

Message (transformers 4 and 5; `one prompt`):

```text
ValueError: TextStreamer only supports batch size 1
```

Message (transformers 4 and 5; `num_beams=1`):

```text
ValueError: `streamer` cannot be used with beam search (yet!). Make sure that `num_beams` is set to 1.
```

Message (transformers 4 and 5; `tokenizer=tokenizer`):

```text
ValueError: There are one or more stop strings, either in the arguments to `generate` or in the model's generation config, but we could not locate a tokenizer. When generating with stop strings, you must pass the model's tokenizer to the `tokenizer` argument of `generate`.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"current model class \((?P<model>\w{2,80})\) is not compatible with `\.generate\(\)`",
    r"'(?P<model>(?:GPT\w{1,8}|Llama|Mistral|Qwen\w{0,6}|Bert|Roberta|T5|Bart|OPT|Bloom|Gemma\d?|Phi\d?)Model)' object has no attribute 'generate'",
    odds=0.97,
)
def no_head(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['model']}` has no head over the vocabulary: AutoModelForCausalLM, or ...ForConditionalGeneration"
    )


@pitfall.explains(
    r"Input length of (?P<what>\w{2,30}) is (?P<came>\d+), but `max_length` is set to (?P<most>\d+)",
    odds=0.96,
)
def prompt_fills_it(failure: Failure) -> Hits:
    what, came, most = (failure.groups[key] for key in ("what", "came", "most"))
    says = f"{what} has {came} tokens, and max_length={most} counts them too"
    yield failure.hit(f"{says}: max_new_tokens=n instead")


@pitfall.explains(
    r"following `model_kwargs` are not used by the model: (?P<names>\[(?!'encoder_hidden).{2,300}?\])",
    odds=0.96,
)
def not_taken(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model's forward takes no {failure.groups['names']}: leave it out of what is given to generate "
        "(inputs.pop(...), or input_ids and attention_mask alone)"
    )


@pitfall.explains(
    r"right-padding was detected|batched generation with padding_side='right'", odds=0.95
)
def padded_behind(failure: Failure) -> Hits:
    yield failure.hit(
        "the batch is padded behind, so the model goes on after the padding: tokenizer.padding_side = 'left'"
    )


@pitfall.explains(
    r"Greedy methods without beam search do not support `num_return_sequences` different than 1 \(got (?P<n>\d+)\)",
    odds=0.96,
)
def several_of_one(failure: Failure) -> Hits:
    n = failure.groups["n"]
    yield failure.hit(
        f"the likeliest continuation is one, and {n} are asked for: do_sample=True, or num_beams={n} or more"
    )


@pitfall.explains(
    r"`(?P<name>bos_token_id|decoder_start_token_id)` (?:or `bos_token_id` )?has to be defined (?:when no|for encoder-decoder)",
    odds=0.95,
)
def nothing_to_begin_with(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = "there is no token to begin with: input_ids for generate"
    yield failure.hit(f"{says}, or {name} in model.generation_config")


pitfall.answers(
    {
        "has to be a strictly positive float, otherwise your next token": "sampling divides by the temperature, which is 0: do_sample=False takes the likeliest",
        "has to be smaller or equal to `num_beams`": "no more sequences come back than beams are followed: num_beams of at least num_return_sequences",
        "TextStreamer only supports batch size 1": "a streamer prints one text as it grows: one prompt at a time, or no streamer",
        "`streamer` cannot be used with beam search": "beams change what was written before, and a streamer has printed it: num_beams=1, or no streamer",
        "There are one or more stop strings, either in": "stop strings are looked for in text, and generate sees numbers: tokenizer=tokenizer among its arguments",
        "`max_new_tokens` must be greater than 0": "no token is asked for: max_new_tokens above 0, max_length less the length of the prompt where it is computed",
    },
    odds=0.95,
)
