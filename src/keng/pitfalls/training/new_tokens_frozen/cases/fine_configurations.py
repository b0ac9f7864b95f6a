# rows or layers that are trained; an embedding with an adapter; only a padding token; options from elsewhere
import torch
from peft import LoraConfig, get_peft_model


def rows(model, tokenizer, words):
    tokenizer.add_tokens(words)
    model.resize_token_embeddings(len(tokenizer))
    new = tokenizer.convert_tokens_to_ids(words)
    return get_peft_model(model, LoraConfig(target_modules=["q_proj"], trainable_token_indices=new))


def layers(model):
    config = LoraConfig(target_modules=["q_proj"], modules_to_save=["embed_tokens", "lm_head"])
    return get_peft_model(model, config)


def embedding(model, options):
    model = get_peft_model(model, LoraConfig(target_modules=["q_proj", "embed_tokens"]))
    return get_peft_model(model, LoraConfig(target_modules=["q_proj"], **options))
