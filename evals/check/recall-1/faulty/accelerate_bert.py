import math

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_scheduler


def build(name, texts, labels, bs):
    tok = AutoTokenizer.from_pretrained(name)
    enc = tok(texts, truncation=True, padding=True, return_tensors='pt')
    rows = [dict(input_ids=i, attention_mask=m, labels=torch.tensor(l))
            for i, m, l in zip(enc['input_ids'], enc['attention_mask'], labels)]
    return DataLoader(rows, batch_size=bs, shuffle=True)


def main(texts, labels, name='prajjwal1/bert-tiny', epochs=3, accum=4):
    accelerator = Accelerator(mixed_precision='bf16')
    model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    loader = build(name, texts, labels, 16)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    steps = epochs * math.ceil(len(loader) / accum)
    scheduler = get_scheduler('linear', optimizer, 0, steps)
    for epoch in range(epochs):
        model.train()
        total = 0
        for i, batch in enumerate(loader):
            out = model(**batch)
            accelerator.backward(out.loss)  # check: accumulation-unscaled
            total += out.loss  # check: loss-keeps-graph
            if (i + 1) % accum == 0:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        accelerator.print(epoch, total / len(loader))
        if accelerator.is_main_process:
            accelerator.wait_for_everyone()  # check: collective-on-one-rank
            accelerator.save(accelerator.unwrap_model(model).state_dict(), f'{epoch}.pt')
