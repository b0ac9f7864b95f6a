import torch
from transformers import GPT2Config, GPT2LMHeadModel

BLOCK = 100

config = GPT2Config(vocab_size=300, n_positions=64, n_embd=48, n_layer=2, n_head=4)
model = GPT2LMHeadModel(config)
stream = torch.randint(0, 300, (BLOCK * 8,))
batch = stream.view(-1, BLOCK)
out = model(input_ids=batch, labels=batch)
print(out.loss)
