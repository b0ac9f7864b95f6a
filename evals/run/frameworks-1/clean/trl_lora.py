"""Supervised fine-tuning of adapters."""

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
from peft import LoraConfig  # noqa: E402

data = Dataset.from_dict({"text": [f"{text} </s>" for text in texts]})
tiny.train(SFTTrainer(
    model=model, args=SFTConfig(**tiny.arguments(max_length=32, learning_rate=5e-3)),
    train_dataset=data, processing_class=tokenizer,
    peft_config=LoraConfig(r=4, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"),
))
