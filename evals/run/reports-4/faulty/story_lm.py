"""A small GPT-2 trained from scratch on tokenized stories, after delphi-suite/delphi pull 134."""

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel, get_linear_schedule_with_warmup
from transformers.utils import logging

logging.set_verbosity_error()
torch.manual_seed(11)
VOCAB, CONTEXT, STORIES = 48, 33, 480


def make_corpus(count, generator):
    table = torch.stack([torch.randperm(VOCAB, generator=torch.Generator().manual_seed(100 + i))[:3] for i in range(VOCAB)])
    tokens = torch.zeros(count, CONTEXT, dtype=torch.long)
    tokens[:, 0] = torch.randint(VOCAB, (count,), generator=generator)
    for position in range(1, CONTEXT):
        choice = torch.multinomial(torch.tensor([0.85, 0.1, 0.05]), count, replacement=True, generator=generator)
        tokens[:, position] = table[tokens[:, position - 1], choice]
    return tokens


class TokenizedStories(Dataset):
    def __init__(self, tokens):
        self.tokens = tokens

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        chunk = self.tokens[index]
        return {"input_ids": chunk[:-1], "labels": chunk[1:]}  # run: labels-shifted-twice


@torch.no_grad()
def evaluate(model, tokens):
    model.eval()
    logits = model(input_ids=tokens[:, :-1]).logits
    accuracy = (logits.argmax(-1) == tokens[:, 1:]).float().mean().item()
    model.train()
    return accuracy


@torch.no_grad()
def sample(model, start, length):
    model.eval()
    ids = start
    for _ in range(length):
        ids = torch.cat([ids, model(input_ids=ids).logits[:, -1].argmax(-1, keepdim=True)], 1)
    return ids


generator = torch.Generator().manual_seed(0)
train_tokens, valid_tokens = make_corpus(STORIES, generator), make_corpus(96, generator)
loader = DataLoader(TokenizedStories(train_tokens), batch_size=32, shuffle=True)
config = GPT2Config(
    vocab_size=VOCAB,
    n_positions=CONTEXT, n_embd=48, n_layer=2, n_head=4,
    resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    bos_token_id=0, eos_token_id=0,
)
model = GPT2LMHeadModel(config)
EPOCHS = 10
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
scheduler = get_linear_schedule_with_warmup(optimizer, 15, EPOCHS * len(loader))
for epoch in range(EPOCHS):
    total = 0.0
    for batch in loader:
        loss = model(input_ids=batch["input_ids"], labels=batch["labels"]).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.4f}")
print("sample", sample(model, valid_tokens[:1, :1], 10)[0].tolist())
print(f"next token accuracy on the validation stories {evaluate(model, valid_tokens):.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
