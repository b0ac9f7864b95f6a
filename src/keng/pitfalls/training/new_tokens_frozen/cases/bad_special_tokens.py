# special tokens that mark parts of a text
import torch
from peft import LoraConfig, get_peft_model


def marked(model, tokenizer):
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"], "pad_token": "[PAD]"})
    model.resize_token_embeddings(len(tokenizer))
    return get_peft_model(model, LoraConfig(r=8, target_modules="all-linear"))  # check: trains neither the embedding
