"""A small causal model is fine-tuned on dialogues with two new tokens, after https://github.com/huggingface/transformers/pull/3532."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel, set_seed

WORDS, LENGTH = 40, 14
ASK, REPLY = WORDS, WORDS + 1
set_seed(17)


class Plain(Dataset):
    """Sequences in which each word follows from the one before."""

    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        step = torch.randint(1, 4, (count, 1), generator=generator)
        start = torch.randint(WORDS, (count, 1), generator=generator)
        self.rows = (start + step * torch.arange(LENGTH)) % WORDS

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


class Dialogues(Dataset):
    """A question of a few words, and as its reply the same words in reverse."""

    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        rows = []
        for _ in range(count):
            row = []
            while len(row) < LENGTH:
                size = int(torch.randint(1, 4, (1,), generator=generator))
                words = torch.randint(WORDS, (size,), generator=generator).tolist()
                row += [ASK, *words, REPLY, *words[::-1]]
            rows.append(row[:LENGTH])
        self.rows = torch.tensor(rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def run_epoch(model, loader, optimizer, clip=1.0):
    model.train()
    total = 0.0
    for rows in loader:
        loss = model(input_ids=rows, labels=rows).loss
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    loss, hits, count = 0.0, 0, 0
    for rows in DataLoader(data, batch_size=128):
        output = model(input_ids=rows, labels=rows)
        loss += output.loss.item() * len(rows)
        special = rows[:, 1:] >= WORDS
        guess = output.logits[:, :-1].argmax(-1)
        hits += (guess == rows[:, 1:])[special].sum().item()
        count += special.sum().item()
    return loss / len(data), hits / count


def pretrain():
    config = GPT2Config(vocab_size=WORDS, n_positions=LENGTH, n_embd=48, n_layer=2, n_head=4, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    config.bos_token_id = config.eos_token_id = 0
    model = GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    loader = DataLoader(Plain(640, 1), batch_size=64, shuffle=True)
    for _ in range(4):
        loss = run_epoch(model, loader, optimizer)
    print(f"pretraining loss {loss:.4f}")
    return model


def resize_token_embeddings(model, size):
    """A larger embedding with the old rows in front, shared with the output as before."""
    old = model.get_input_embeddings()
    new = nn.Embedding(size, old.embedding_dim)
    with torch.no_grad():
        new.weight.normal_(std=0.02)
        new.weight[: old.num_embeddings] = old.weight
    model.set_input_embeddings(new)
    model.lm_head = nn.Linear(old.embedding_dim, size, bias=False)
    model.lm_head.weight = new.weight
    model.config.vocab_size = size


def finetune(model, epochs=8):
    resize_token_embeddings(model, WORDS + 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    loader = DataLoader(Dialogues(640, 2), batch_size=64, shuffle=True)
    valid = Dialogues(200, 3)
    for epoch in range(epochs):
        loss = run_epoch(model, loader, optimizer)
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1} loss {loss:.4f} valid loss {evaluate(model, valid)[0]:.4f}")
    return evaluate(model, valid)


model = pretrain()
loss, hits = finetune(model)
print(f"valid loss {loss:.4f} accuracy of the new tokens {hits:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
