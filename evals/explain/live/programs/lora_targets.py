from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

lora = LoraConfig(
    r=8,
    lora_alpha=16,
    target_modules=["q_proj", "v_proj"],
    lora_dropout=0.05,
    task_type="CAUSAL_LM",
)
base = GPT2LMHeadModel(GPT2Config(vocab_size=100, n_positions=32, n_embd=32, n_layer=2, n_head=2))
model = get_peft_model(base, lora)
model.print_trainable_parameters()
