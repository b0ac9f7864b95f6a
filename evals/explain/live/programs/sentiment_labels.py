import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification

stars = [5, 1, 3, 2, 4, 4]
labels = torch.tensor([s - 1 for s in stars])

config = DistilBertConfig(vocab_size=500, dim=32, n_heads=4, n_layers=1, hidden_dim=64, num_labels=2)
model = DistilBertForSequenceClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
ids = torch.randint(0, 500, (len(labels), 20))
loss = model(input_ids=ids, attention_mask=torch.ones_like(ids), labels=labels).loss
loss.backward()
optimizer.step()
