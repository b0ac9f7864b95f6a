"""Chats, of which the answers alone are learned."""

import tiny
import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM
from trl import SFTConfig, SFTTrainer

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
                     bos_token_id=5, eos_token_id=6, pad_token_id=0)
model = LlamaForCausalLM(config)
texts = tiny.sentences(48)
chats = [
    [{"role": "user", "content": text}, {"role": "assistant", "content": " ".join(text.split()[:3])}]
    for text in texts
]

tiny.train(SFTTrainer(
    model=model, args=SFTConfig(**tiny.arguments(max_length=48, assistant_only_loss=True)),
    train_dataset=Dataset.from_dict({"messages": chats}), processing_class=tokenizer,
))
