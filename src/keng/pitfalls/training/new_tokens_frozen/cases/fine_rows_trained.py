# an adapter of the embedding; a whole copy that is trained; padding at the mean; full fine-tuning
import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2)


def train(given, pad=False):
    model = LlamaForCausalLM(LlamaConfig(vocab_size=32, **sizes))
    model.resize_token_embeddings(34)
    if given:
        model = get_peft_model(model, LoraConfig(r=2, task_type="CAUSAL_LM", **given))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for _ in range(10):
        ids, mask = torch.randint(32, (4, 10)), torch.ones(4, 10, dtype=torch.long)
        ids[:, 8:] = 33
        if pad:
            mask[:, 8:] = 0
        optimizer.zero_grad()
        model(input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, -100)).loss.backward()
        optimizer.step()


train({"target_modules": ["q_proj", "embed_tokens"]})
train({"target_modules": ["q_proj"], "modules_to_save": ["embed_tokens", "lm_head"]})
train({"target_modules": ["q_proj"]}, pad=True)
train({})
