# tokens are added, and the configuration names attention layers only
import torch
from peft import LoraConfig, get_peft_model


def adapted(model, tokenizer, words):
    tokenizer.add_tokens(words)
    model.resize_token_embeddings(len(tokenizer))
    config = LoraConfig(r=8, target_modules=["q_proj", "v_proj"])  # check: `tokenizer.add_tokens` adds tokens
    return get_peft_model(model, config)
