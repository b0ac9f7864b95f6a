r"""A sequence is longer than the model has positions for.

A transformer with learned positions has one vector for each, 512 in BERT, 1024 in GPT-2, `block_size` in a model of one's own. A longer
sequence finds no row for the rest: on the CPU an index out of range, on a card a device-side assert, or an assert
of the model's own. A tokenizer only warns.

Cure: `truncation=True, max_length=512` in the tokenizer; cut the context to its last part, `ids[:, -block_size:]`, while generating; a text in overlapping
pieces; a larger `max_len` where positions are computed; RoBERTa keeps two positions for itself, 514 are 512.

Bad:

```python
import torch
from torch import nn


class GPT(nn.Module):
    def __init__(self, block_size):
        super().__init__()
        self.block_size = block_size
        self.wpe = nn.Embedding(block_size, 16)

    def forward(self, ids):
        t = ids.size(1)
        most = self.block_size
        says = f"Cannot forward sequence of length {t}, block size is only {most}"
        assert t <= most, says  # seen: `9`
        return self.wpe(torch.arange(t))


model = GPT(block_size=8)
y = model(torch.zeros(1, 9, dtype=torch.long))
```

Bad (positions that are computed):

```python
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, max_len=8):
        super().__init__()
        self.register_buffer("table", torch.zeros(1, max_len, width))

    def forward(self, x):
        return x + self.table[:, : x.size(1)]  # seen: `9 meets the 8 positions of self.table`


y = Positions(16)(torch.zeros(2, 9, 16))
```

Bad (a causal mask):

```python
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, block_size=8):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, scores):
        T = scores.size(-1)
        return scores.masked_fill(self.tril[:T, :T] == 0, -9)  # seen: `8 positions of self.tril`


y = Head()(torch.zeros(2, 9, 9))
```

Bad (positions under another name):

```python
import torch
from torch import nn


class PositionalEncoder(nn.Module):
    def __init__(self, width, max_seq_len=8):
        super().__init__()
        self.register_buffer("pe", torch.zeros(1, max_seq_len, width))

    def forward(self, x):
        pe = self.pe[:, : x.size(1)]
        return x + pe  # seen: `9 meets the 8 positions of pe`


y = PositionalEncoder(16)(torch.zeros(2, 9, 16))
```

Good:

```python
import torch
from torch import nn

block_size = 8
wpe = nn.Embedding(block_size, 16)
ids = torch.zeros(1, 9, dtype=torch.long)[:, -block_size:]
y = wpe(torch.arange(ids.size(1)))
```

Message (transformers; `610`):

```text
Token indices sequence length is longer than the specified maximum sequence length for this model (610 > 512). Running this sequence through the model will result in indexing errors
```

Message (transformers; `512 positions`):

```text
ValueError: Sequence length must be less than max_position_embeddings (got `sequence length`: 700 and max_position_embeddings: 512
```

Message (transformers 4, of BERT; `1002`):

```text
  File "/env/lib/python3.10/site-packages/transformers/models/bert/modeling_bert.py", line 1011, in forward
    buffered_token_type_ids_expanded = buffered_token_type_ids.expand(batch_size, seq_length)
RuntimeError: The expanded size of the tensor (1002) must match the existing size (512) at non-singleton dimension 1.  Target sizes: [1, 1002].  Tensor sizes: [1, 512]
```

Message (transformers 4, of DistilBERT; `600`):

```text
  File "/env/lib/python3.8/site-packages/transformers/models/distilbert/modeling_distilbert.py", line 120, in forward
    embeddings = word_embeddings + position_embeddings  # (bs, max_seq_length, dim)
RuntimeError: The size of tensor a (600) must match the size of tensor b (512) at non-singleton dimension 1
```

Message (transformers 4, of RoBERTa; `max_length=512`):

```text
  File "/env/lib/python3.10/site-packages/transformers/models/roberta/modeling_roberta.py", line 802, in forward
    buffered_token_type_ids_expanded = buffered_token_type_ids.expand(batch_size, seq_length)
RuntimeError: The expanded size of the tensor (583) must match the existing size (514) at non-singleton dimension 1.  Target sizes: [1, 583].  Tensor sizes: [1, 514]
```

Message (on a card, with the code beside it; `up to 2048 tokens`):

```text
RuntimeError: CUDA error: device-side assert triggered

model = BertForSequenceClassification.from_pretrained("bert-base-uncased")
ids = tokenizer.encode(text, max_length=2048)
```

Message (torch 1.5 to 2.13, of an embedding of positions; `self.position_embeddings`):

```text
  File "/env/lib/python3.10/site-packages/transformers/models/bert/modeling_bert.py", line 217, in forward
    position_embeddings = self.position_embeddings(position_ids)
  File "/env/lib/python3.10/site-packages/torch/nn/modules/sparse.py", line 162, in forward
    return F.embedding(
IndexError: index out of range in self
```

Message (torch 1.2, of an embedding of positions; `self.pos_emb`):

```text
  File "model.py", line 57, in forward
    p = self.pos_emb(torch.arange(t))
  File "/env/lib/python3.6/site-packages/torch/nn/modules/sparse.py", line 114, in forward
    self.norm_type, self.scale_grad_by_freq, self.sparse)
  File "/env/lib/python3.6/site-packages/torch/nn/functional.py", line 1467, in embedding
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)
RuntimeError: index out of range: Tried to access index 100 out of table with 99 rows. at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:237
```

Message (torch 1.2, the same on one line with TH; `self.wpe`):

```text
  File "model.py", line 57, in forward
    p = self.wpe(torch.arange(t))
  File "/env/lib/python3.6/site-packages/torch/nn/functional.py", line 1467, in embedding
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)
RuntimeError: index out of range at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:193
```

Message (LitGPT; `max_seq_length=4096`):

```text
ValueError: Cannot attend to 9904, block size is only 4096. This is likely because the input text exceeds the supported context length of this model.
```

Message (LitGPT, of a batch; `2048`):

```text
ValueError: Cannot forward sequence of length 3000, max seq length is only 2048.
```

Message (minGPT, and what is built on it):

```text
AssertionError: Cannot forward, model block size is exhausted.
```

Message (fairseq; `1200`):

```text
Exception: Size of sample #1234 is invalid (=(1200, 5)) since max_positions=(1024, 1024), skip this example with --skip-invalid-size-inputs-valid-test
```

Message (transformers 4 and 5; `1024 positions`):

```text
This is a friendly reminder - the current text generation call will exceed the model's predefined maximum length (1024). Depending on the model, you may observe exceptions, performance degradation, or nothing at all.
```

Message (transformers, without its frames; `a sequence of 566 meets 512 positions`):

```text
RuntimeError: The expanded size of the tensor (566) must match the existing size (512) at non-singleton dimension 1.  Target sizes: [1, 566].  Tensor sizes: [1, 512]
```

Message (transformers, of sentences; `truncation=True`):

```text
I used NLTK to parse the texts into sentences and pass those sentences into the classifier.
RuntimeError: The size of tensor a (538) must match the size of tensor b (512) at non-singleton dimension 1
```
"""

from keng.explain.advice.images import patches
from keng.explain.advice.positions import (
    asked_of_bert,
    of_a_pretrained_table,
    positions_looked_up,
    short_table,
)
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(r"Cannot forward[,:] model block size is exhausted", odds=0.95)


@pitfall.explains(
    r"Token indices sequence length is longer than the specified maximum sequence length for this model \((?P<came>\d+) > (?P<most>\d+)\)",
    r"Cannot (?:forward sequence of length|attend to) (?P<came>\d+)(?: tokens)?, (?:block size|max seq length) is only (?P<most>\d+)",
    r"Sequence length must be less than max_position_embeddings \(got `?sequence length`?: (?P<came>\d+) and "
    r"max_position_embeddings: (?P<most>\d+)",
    r"[Ss]ize of sample #\d+ is invalid \(=\(?(?P<came>\d+)[\d, ]*\)?\) since max_positions=\(?(?P<most>\d+)",
    odds=0.9,
)
def longer_than_the_table(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    cure = f"truncation=True, max_length={most}"
    cure = f"ids[:, -{most}:]" if "Cannot forward" in failure.message else cure
    cure = f"max_seq_length={most}" if "Cannot attend" in failure.message else cure
    yield failure.hit(
        f"a sequence of {came} meets {most} positions: cut it, {cure}, or into pieces"
    )


@pitfall.explains(
    r"The size of tensor a \((?P<one>\d+)\) must match the size of tensor b \((?P<other>\d+)\) at non-singleton dimension (?P<dim>[0-3])\b",
    odds=0.95,
)
def longer_than_what_is_added(failure: Failure) -> Hits:
    table, came, most = short_table(failure)
    if table and most < came and patches(failure, came, most) is None:
        yield failure.hit(
            f"a sequence of {came} meets the {most} positions of `{table}`: make that longer, or cut it"
        )


@pitfall.explains(
    r"The size of tensor a \((?P<came>\d+)\) must match the size of tensor b \((?P<most>\d+)\)",
    r"The expanded size of the tensor \((?P<came>\d+)\) must match the existing size \((?P<most>\d+)\)",
    odds=0.95,
)
def longer_than_a_pretrained_table(failure: Failure) -> Hits:
    came, most = (int(failure.groups[name]) for name in ("came", "most"))
    if of_a_pretrained_table(failure, most) and most < came:
        usable = most - most % 512 or most
        yield failure.hit(
            f"a sequence of {came} meets {most} positions: cut it, truncation=True, max_length={usable}, or into pieces"
        )


@pitfall.explains(
    r"\bindex out of range in self|index out of range at \S{0,300}TH|Tried to access index \d+ out of table",
    odds=0.93,
)
def looked_up_past_the_end(failure: Failure) -> Hits:
    if table := positions_looked_up(failure):
        yield failure.hit(
            f"`{table}` has a row for each position, and the sequence has more of them: cut it, or make that for more"
        )


@pitfall.explains(
    r"device-side assert\b|Creating MTGP constants failed|Assertion .{0,3}srcIndex < srcSelectDimSize|\bindex out of range in self",
    odds=0.94,
)
def told_by_the_length_that_is_asked(failure: Failure) -> Hits:
    if length := asked_of_bert(f"{failure.message}\n{failure.around}"):
        yield failure.hit(
            f"texts of up to {length} tokens are asked for, and BERT has 512 positions: max_length=512, truncation=True"
        )


@pitfall.explains(
    r"text generation call (?:will exceed|has exceeded) the model's predefined maximum length \((?P<most>\d+)\)",
    odds=0.95,
)
def generated_past_the_end(failure: Failure) -> Hits:
    yield failure.hit(
        f"prompt and answer together pass the {failure.groups['most']} positions that the model was trained for: a shorter prompt or max_new_tokens"
    )
