# argument: num_attention_heads=6
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertCrossAttention

config = BertConfig(hidden_size=100, num_attention_heads=6, num_hidden_layers=1)
attention = BertCrossAttention(config)
