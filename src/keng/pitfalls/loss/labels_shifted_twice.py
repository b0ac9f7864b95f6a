r"""Labels are moved on by one place for a model that moves them itself.

The causal language models of Transformers compare the scores at each place with the label of the next: `labels` are to be the
`input_ids` themselves. Who gives them `ids[:, :-1]` and `ids[:, 1:]` teaches the model to name the word after the next. The loss falls
all the same, only not as far, and what is generated leaves words out.

Cure: `model(ids, labels=ids)`, with -100 in the labels where nothing is to be learnt; or shift by hand and compute the loss by hand,
from the logits. A few models, BART's and its kin's `ForCausalLM` among them, do not shift: read the class.

Bad:

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model.train()
for ids in torch.randint(20, (3, 4, 12)):
    inputs, targets = ids[:, :-1], ids[:, 1:]
    optimizer.zero_grad()
    told = model(inputs, labels=targets)  # here: compares with the word after the next
    told.loss.backward()
    optimizer.step()
```

Proof:

```python
after_next = torch.nn.functional.cross_entropy(
    told.logits[:, :-1].flatten(0, 1), ids[:, 2:].flatten()
)
assert torch.allclose(told.loss, after_next)
```

Bad (the data set cuts, and the batch is handed over as it is):

```python
import torch
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForCausalLM, GPT2Config


class Blocks(Dataset):
    def __init__(self, ids, size):
        self.ids, self.size = ids, size

    def __len__(self):
        return (len(self.ids) - 1) // self.size

    def __getitem__(self, index):
        begin = index * self.size
        return {
            "input_ids": self.ids[begin : begin + self.size],
            "labels": self.ids[begin + 1 : begin + self.size + 1],
        }


device = torch.device("cpu")
config = GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2)
net = AutoModelForCausalLM.from_config(config).to(device)
for batch in DataLoader(Blocks(torch.randint(20, (100,)), 12), batch_size=4, shuffle=True):
    loss = net(**batch).loss  # here: the data set has moved them on
    loss.backward()
```

Proof:

```python
assert torch.equal(batch["input_ids"][:, 1:], batch["labels"][:, :-1])
```

Good:

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model.train()
for ids in torch.randint(20, (3, 4, 12)):
    optimizer.zero_grad()
    loss = model(ids, labels=ids).loss
    loss.backward()
    optimizer.step()
```

Fine (the loss computed by hand; labels that are the inputs, masked; a model that does not shift; labels of words, not of places):

```python
import torch
from torch.nn.functional import cross_entropy
from transformers import BartConfig, BartForCausalLM, BertConfig, BertForTokenClassification
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2))
small = dict(
    vocab_size=20, d_model=8, decoder_layers=1, decoder_attention_heads=2, decoder_ffn_dim=8
)
decoder = BartForCausalLM(BartConfig(max_position_embeddings=16, pad_token_id=1, **small))
tagger = BertForTokenClassification(
    BertConfig(
        vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, num_labels=20
    )
)
for ids in torch.randint(2, 20, (2, 4, 12)):
    inputs, targets = ids[:, :-1], ids[:, 1:]
    loss = cross_entropy(model(inputs).logits.flatten(0, 1), targets.flatten())
    masked = ids.clone()
    masked[:, :3] = -100
    loss = loss + model(ids, labels=masked).loss
    loss = loss + decoder(inputs, labels=targets.contiguous()).loss
    loss = loss + tagger(inputs, labels=targets.contiguous()).loss
    loss.backward()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.finds(fixes=True)
def labels_moved_already(code: Code) -> Hits:
    for call, inputs, labels, (first, behind) in code.labels_shifted_twice():
        model, fix = code.text_of(call.func), None
        if inputs is not None and labels is not None:
            edit = code.replace(labels, code.text_of(inputs))
            fix = Fix("Give the inputs as labels", (edit,))
        says = f"`{model}` compares with the next label itself; `{behind}` is moved on beside `{first}` already"
        yield code.hit(call, f"{says}: it learns the word after the next", fix)
