# a quarter of the prompts fill the maximal length, so their answers are cut off; no batch is without labels
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
LONGEST = 12
model = GPT2LMHeadModel(GPT2Config(vocab_size=32, n_embd=16, n_layer=1, n_head=2, eos_token_id=1, bos_token_id=0))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(20):
    ids, mask, labels = [], [], []
    for prompt in (4, 6, 8, 20):
        text = torch.randint(2, 32, (prompt + 4,))[:LONGEST]
        more = LONGEST - len(text)
        ids.append(torch.nn.functional.pad(text, (0, more)))
        mask.append(torch.nn.functional.pad(torch.ones_like(text), (0, more)))
        target = text.clone()
        target[:prompt] = -100
        labels.append(torch.nn.functional.pad(target, (0, more), value=-100))
    ids, mask, labels = torch.stack(ids), torch.stack(mask), torch.stack(labels)
    optimizer.zero_grad()
    model(input_ids=ids, attention_mask=mask, labels=labels).loss.backward()  # run: 20 of 80 texts
    optimizer.step()
# proof
assert (labels[3] == -100).all()
