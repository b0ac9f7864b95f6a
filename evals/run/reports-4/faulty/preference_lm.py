"""Direct preference optimization of a small language model, after YiyangZhou/POVID issue 11."""

import copy

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.utils import logging

logging.set_verbosity_error()
torch.manual_seed(111)
VOCAB, PROMPT, ANSWER, BETA = 40, 4, 6, 0.5
follow = torch.stack([torch.randperm(VOCAB)[:4] for _ in range(VOCAB)])


def continuations(start, length, odds):
    tokens = [start]
    for _ in range(length):
        choice = torch.multinomial(torch.tensor(odds), len(start), replacement=True)
        tokens.append(follow[tokens[-1], choice])
    return torch.stack(tokens[1:], 1)


def prompts(count):
    start = torch.randint(VOCAB, (count,))
    return torch.cat([start[:, None], continuations(start, PROMPT - 1, [0.25] * 4)], 1)


def preferences(count):
    prompt = prompts(count)
    chosen = continuations(prompt[:, -1], ANSWER, [0.4, 0.4, 0.1, 0.1])
    rejected = continuations(prompt[:, -1], ANSWER, [0.1, 0.1, 0.4, 0.4])
    return torch.cat([prompt, chosen], 1), torch.cat([prompt, rejected], 1)


def answer_logps(model, ids):
    logits = model(input_ids=ids).logits[:, PROMPT - 1 : -1]
    return logits.log_softmax(-1).gather(2, ids[:, PROMPT:, None]).squeeze(-1).sum(1)


def supervised(model, steps=250):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(steps):
        prompt = prompts(64)
        ids = torch.cat([prompt, continuations(prompt[:, -1], ANSWER, [0.25] * 4)], 1)
        loss = model(input_ids=ids, labels=ids).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"supervised loss {loss.item():.4f}")


class DPOTrainer:
    def __init__(self, model, ref_model=None, lr=1e-3):
        self.model = model
        if ref_model is None:
            ref_model = model  # run: loss-never-changes
        self.ref_model = ref_model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.0)

    def dpo_loss(self, chosen, rejected):
        policy_ratio = answer_logps(self.model, chosen) - answer_logps(self.model, rejected)
        with torch.no_grad():
            reference_ratio = answer_logps(self.ref_model, chosen) - answer_logps(self.ref_model, rejected)
        return -F.logsigmoid(BETA * (policy_ratio - reference_ratio)).mean()

    def train(self, loader, epochs=4):
        for epoch in range(epochs):
            total = 0.0
            for chosen, rejected in loader:
                loss = self.dpo_loss(chosen, rejected)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                total += loss.item()
            print(f"epoch {epoch} loss {total / len(loader):.4f}")


config = GPT2Config(
    vocab_size=VOCAB,
    n_positions=PROMPT + ANSWER, n_embd=32, n_layer=2, n_head=2,
    resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    bos_token_id=0, eos_token_id=0,
)
model = GPT2LMHeadModel(config)
supervised(model)
held_chosen, held_rejected = preferences(256)
with torch.no_grad():
    before = answer_logps(model, held_chosen).mean().item()
chosen, rejected = preferences(768)
DPOTrainer(model).train(DataLoader(TensorDataset(chosen, rejected), batch_size=32, shuffle=True))
with torch.no_grad():
    after, other = answer_logps(model, held_chosen), answer_logps(model, held_rejected)
print(f"held-out preferences won {(after > other).float().mean().item():.4f}")
print(f"log probability of the chosen answers {before:.4f} before and {after.mean().item():.4f} after")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
