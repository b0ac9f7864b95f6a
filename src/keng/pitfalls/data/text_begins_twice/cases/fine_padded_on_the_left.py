# padding on the left is the same token, or is masked; some texts begin so
# needs: import transformers
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
for pad in (0, 1):
    config = LlamaConfig(vocab_size=32, bos_token_id=1, eos_token_id=2, pad_token_id=pad, **sizes)
    model = LlamaForCausalLM(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(4):
        ids = torch.randint(3, 32, (8, 10))
        ids[:, :4] = 1
        mask = torch.ones_like(ids)
        mask[:, :3] = 0
        if not pad:
            ids[:4, 4] = 1
        loss = model(input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, -100)).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
