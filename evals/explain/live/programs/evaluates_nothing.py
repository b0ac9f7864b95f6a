import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

rows = [{"input_ids": torch.randint(0, 90, (8,)), "labels": torch.tensor(i % 2)} for i in range(16)]
config = BertConfig(vocab_size=90, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
options = dict(
    output_dir="runs",
    eval_strategy="epoch",
    num_train_epochs=1,
    report_to="none",
    use_cpu=True,
)
trainer = Trainer(
    model=BertForSequenceClassification(config),
    args=TrainingArguments(**options),
    train_dataset=rows,
)
trainer.train()
