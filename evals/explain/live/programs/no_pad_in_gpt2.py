import torch
from transformers import GPT2Config, GPT2ForSequenceClassification

config = GPT2Config(vocab_size=200, n_positions=32, n_embd=24, n_layer=1, n_head=2, num_labels=2)
model = GPT2ForSequenceClassification(config)
ids = torch.randint(0, 200, (8, 12))
mask = torch.ones_like(ids)
labels = torch.randint(0, 2, (8,))
for step in range(3):
    loss = model(ids, attention_mask=mask, labels=labels).loss
    loss.backward()
    print(step, loss.item())
