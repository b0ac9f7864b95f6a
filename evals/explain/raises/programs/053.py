# argument: 5
from transformers.models.pegasus_x.modeling_pegasus_x import PegasusXAttention

attention = PegasusXAttention(64, 5, is_decoder=True)
