"""A reward model on pairs."""

import tiny
import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForSequenceClassification
from trl import RewardConfig, RewardTrainer

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
                     bos_token_id=5, eos_token_id=6, pad_token_id=0, num_labels=1)
model = LlamaForSequenceClassification(config)
texts = tiny.sentences(48)
data = Dataset.from_dict({
    "chosen": [f"{text} dog </s>" for text in texts],
    "rejected": [f"{text} car </s>" for text in texts],
})
tiny.train(RewardTrainer(
    model=model, args=RewardConfig(**tiny.arguments(max_length=32)), train_dataset=data, processing_class=tokenizer,
))
