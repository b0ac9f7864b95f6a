from peft import LoraConfig, get_peft_model
from transformers import BertConfig, BertForSequenceClassification

TASK = "classification"
base = BertForSequenceClassification(
    BertConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
)
settings = dict(r=4, lora_alpha=8, target_modules=["query", "value"], task_type=TASK)
model = get_peft_model(base, LoraConfig(**settings))
model.print_trainable_parameters()
