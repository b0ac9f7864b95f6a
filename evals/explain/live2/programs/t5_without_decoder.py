import torch
from transformers import T5Config, T5ForConditionalGeneration

config = T5Config(
    vocab_size=80, d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4, decoder_start_token_id=0
)
model = T5ForConditionalGeneration(config)
batch = {
    "input_ids": torch.randint(2, 80, (2, 9)),
    "attention_mask": torch.ones(2, 9, dtype=torch.long),
    "target_ids": torch.randint(2, 80, (2, 5)),
}
outputs = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
print(outputs.logits.shape)
