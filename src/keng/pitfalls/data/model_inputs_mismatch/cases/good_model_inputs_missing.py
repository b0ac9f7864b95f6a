# A model is called without an input that its forward needs
# needs: import transformers
import torch
from transformers import BertConfig, BertForSequenceClassification

model = BertForSequenceClassification(BertConfig(num_hidden_layers=1))
scores = model(input_ids=torch.tensor([[101, 1037, 102]]), labels=torch.tensor([1]))
