from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

HYPER = {"learning_rate": 5e-5, "lr_scheduler_type": "cosine_annealing", "warmup_steps": 10}


def arguments(folder, **more):
    return TrainingArguments(output_dir=folder, num_train_epochs=1, report_to=[], **more)


config = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
)
trainer = Trainer(BertForSequenceClassification(config), arguments("out", **HYPER))
trainer.train()
