# a tuple is handed on
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
keys = torch.zeros(1, 12, 3, 64)
output = model(torch.tensor([[464]]), past_key_values=((keys, keys),))
