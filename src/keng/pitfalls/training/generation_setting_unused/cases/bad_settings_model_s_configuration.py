# settings in the model's configuration
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model.config.temperature = 0.7
tokens = model.generate(torch.tensor([[464]]), max_new_tokens=2)
