# A model's code asks the cache for what another version of Transformers has
import torch
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
cache = DynamicCache(config=model.config)
output = model(torch.tensor([[464]]), past_key_values=cache)
past = cache.get_seq_length()
