import torch
from transformers import LlamaConfig, LlamaForCausalLM

HEADS = 6
config = LlamaConfig(
    vocab_size=64,
    hidden_size=48,
    intermediate_size=96,
    num_hidden_layers=1,
    num_attention_heads=HEADS,
    num_key_value_heads=4,
)
model = LlamaForCausalLM(config)
ids = torch.randint(64, (2, 10))
print(model(ids, labels=ids).loss)
