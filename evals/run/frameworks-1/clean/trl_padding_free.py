"""Rows laid one after the other with positions that begin again."""

import tiny
import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM
from torch.utils.data import DataLoader

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
                     bos_token_id=5, eos_token_id=6, pad_token_id=0)
model = LlamaForCausalLM(config)
texts = tiny.sentences(48)
rows = [tokenizer(f"<s> {text} </s>")["input_ids"] for text in texts]


def packed(chosen):
    """A row of several texts; each attends to itself alone by a mask of blocks."""
    ids = torch.tensor([token for row in chosen for token in row])
    places = torch.tensor([place for row in chosen for place in range(len(row))])
    owners = torch.tensor([n for n, row in enumerate(chosen) for _ in row])
    seen = (owners[:, None] == owners) & torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    mask = torch.zeros(len(ids), len(ids)).masked_fill(~seen, torch.finfo(torch.float32).min)
    labels = ids.masked_fill(places == 0, -100)
    return {"input_ids": ids[None], "position_ids": places[None], "attention_mask": mask[None, None],
            "labels": labels[None]}


import digest  # noqa: E402

loader = DataLoader(rows, batch_size=8, shuffle=True, collate_fn=packed, generator=torch.Generator().manual_seed(0))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(2):
    for batch in loader:
        loss = model(**batch).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print(epoch, round(loss.item(), 4))
digest.show(model)
