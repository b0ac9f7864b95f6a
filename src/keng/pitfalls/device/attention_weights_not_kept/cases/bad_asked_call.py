# asked in the call
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
output = model(torch.tensor([[464]]), output_attentions=True)  # run: an empty tuple

# proof
assert output.attentions == ()
