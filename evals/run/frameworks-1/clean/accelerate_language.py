"""A language model; the loss of a step is divided by all its targets."""

import digest
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

set_seed(0)
draw = torch.Generator().manual_seed(0)
x = torch.randn(256, 8, generator=draw)
y = (x[:, :3].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
train = DataLoader(TensorDataset(x[:192], y[:192]), batch_size=32, shuffle=True)
held = DataLoader(TensorDataset(x[192:], y[192:]), batch_size=24)


def classifier():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))



import tiny
from transformers import GPT2Config, GPT2LMHeadModel, get_linear_schedule_with_warmup

tokenizer = tiny.tokenizer()
rows = [tokenizer(f"<s> {text} </s>")["input_ids"] for text in tiny.sentences(64)]


def collate(chosen):
    batch = tokenizer.pad({"input_ids": chosen}, return_tensors="pt")
    return batch["input_ids"], batch["attention_mask"]


accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=64))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
schedule = get_linear_schedule_with_warmup(optimizer, 2, 3 * 4)
loader = DataLoader(rows, batch_size=8, shuffle=True, collate_fn=collate)
model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
for epoch in range(3):
    batches = iter(loader)
    for _ in range(4):
        step = [next(batches) for _ in range(2)]
        count = sum(int(mask[:, 1:].sum()) for _, mask in step)
        for ids, mask in step:
            with accelerator.accumulate(model):
                scores = model(input_ids=ids, attention_mask=mask).logits[:, :-1]
                labels = ids[:, 1:].masked_fill(mask[:, 1:] == 0, -100)
                losses = F.cross_entropy(scores.transpose(1, 2), labels, reduction="sum")
                accelerator.backward(losses * 2 / count)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
    accelerator.print(epoch, round(losses.item() / int(mask[:, 1:].sum()), 4))
digest.show(accelerator.unwrap_model(model))
