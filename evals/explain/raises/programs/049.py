# argument: num_attention_heads=7
from transformers import CamembertConfig
from transformers.models.camembert.modeling_camembert import CamembertCrossAttention

width = 64
config = CamembertConfig(
    hidden_size=width, num_attention_heads=7, num_hidden_layers=1, vocab_size=100
)
attention = CamembertCrossAttention(config)
