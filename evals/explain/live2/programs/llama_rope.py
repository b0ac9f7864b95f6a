import torch
from transformers import LlamaConfig, LlamaForCausalLM

SCALING = {"rope_type": "ntk", "factor": 4.0, "rope_theta": 10000.0}


def small(scaling):
    return LlamaConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        rope_parameters=scaling,
    )


model = LlamaForCausalLM(small(SCALING))
print(model(torch.randint(64, (1, 8))).logits.shape)
