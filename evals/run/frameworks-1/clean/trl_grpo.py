"""Group-relative policies; answers are rewarded for naming animals."""

import tiny
import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM
from trl import GRPOConfig, GRPOTrainer

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
                     bos_token_id=5, eos_token_id=6, pad_token_id=0)
model = LlamaForCausalLM(config)
texts = tiny.sentences(48)
data = Dataset.from_dict({"prompt": texts[:16]})


def animals(completions, **_):
    return [float(sum(word in "dog cat bird fish".split() for word in each.split())) for each in completions]


tiny.train(GRPOTrainer(
    model=model, reward_funcs=animals, train_dataset=data, processing_class=tokenizer,
    args=GRPOConfig(**tiny.arguments(num_generations=4, max_completion_length=8, num_train_epochs=1,
                                     num_iterations=2)),
))
