# rows without a label that are shorter than others, as padding of the last batch; all labels learned, as in pretraining
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=32, n_embd=16, n_layer=1, n_head=2, eos_token_id=1, bos_token_id=0))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(20):
    ids, mask = torch.randint(2, 32, (4, 12)), torch.ones(4, 12, dtype=torch.long)
    mask[3, 6:] = 0
    labels = ids.masked_fill(mask == 0, -100)
    labels[:, :5] = -100
    labels[3] = -100
    optimizer.zero_grad()
    model(input_ids=ids, attention_mask=mask, labels=labels).loss.backward()
    optimizer.step()
for step in range(20):
    ids = torch.randint(2, 32, (4, 12))
    optimizer.zero_grad()
    model(input_ids=ids, labels=ids).loss.backward()
    optimizer.step()
