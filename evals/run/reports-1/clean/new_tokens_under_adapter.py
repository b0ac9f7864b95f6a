"""A language model with new words and LoRA, after pengxiao-song/LaWGPT issue 66 and unslothai/unsloth issue 2188."""

import torch
from digest import show
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
base = LlamaForCausalLM(LlamaConfig(vocab_size=60, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                                    num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=32,
                                    tie_word_embeddings=False, pad_token_id=None, bos_token_id=None, eos_token_id=None))
NEW = 6
base.resize_token_embeddings(60 + NEW, mean_resizing=False)
config = LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj"], modules_to_save=["embed_tokens", "lm_head"], task_type="CAUSAL_LM")
model = get_peft_model(base, config)
g = torch.Generator().manual_seed(1)
rows = []
for _ in range(160):
    ids = torch.randint(0, 60, (16,), generator=g)
    places = torch.randperm(16, generator=g)[:3]
    ids[places] = torch.randint(60, 60 + NEW, (3,), generator=g)
    rows.append(ids)
loader = DataLoader(rows, batch_size=16, shuffle=True)
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=2e-3)
model.train()
for epoch in range(4):
    for ids in loader:
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(epoch, f"{loss.item():.4f}")
show(model)
