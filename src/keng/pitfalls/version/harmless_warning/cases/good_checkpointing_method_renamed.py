# transformers or the Hub tells of something that changes no result
# needs: import transformers
from transformers import BertConfig, BertModel

model = BertModel(BertConfig(num_hidden_layers=1))
model.activation_checkpointing_enable()
