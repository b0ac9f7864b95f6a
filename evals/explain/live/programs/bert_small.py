import torch
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(
    vocab_size=2000,
    hidden_size=250,
    num_hidden_layers=2,
    intermediate_size=512,
    num_labels=3,
)
model = BertForSequenceClassification(config)
ids = torch.randint(0, 2000, (2, 16))
print(model(input_ids=ids).logits)
