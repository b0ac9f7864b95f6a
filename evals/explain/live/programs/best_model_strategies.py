from transformers import BertConfig, BertForMaskedLM, Trainer, TrainingArguments

model = BertForMaskedLM(BertConfig(vocab_size=100, hidden_size=16, num_hidden_layers=1, num_attention_heads=2))
args = TrainingArguments(
    output_dir="out",
    num_train_epochs=1,
    eval_strategy="epoch",
    save_strategy="steps",
    save_steps=50,
    load_best_model_at_end=True,
    report_to=[],
)
trainer = Trainer(model=model, args=args)
trainer.train()
