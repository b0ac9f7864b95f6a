"""DPO against a frozen copy of the model."""

from copy import deepcopy

import tiny
import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM
from trl import DPOConfig, DPOTrainer

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
                     bos_token_id=5, eos_token_id=6, pad_token_id=0)
model = LlamaForCausalLM(config)
texts = tiny.sentences(48)
data = Dataset.from_dict({
    "prompt": [f"{text} " for text in texts],
    "chosen": [" ".join(text.split()[:3]) + " </s>" for text in texts],
    "rejected": [" ".join(text.split()[-3:]) + " </s>" for text in texts],
})
tiny.train(DPOTrainer(
    model=model, ref_model=deepcopy(model), args=DPOConfig(**tiny.arguments(beta=0.1)), train_dataset=data, processing_class=tokenizer,
))
