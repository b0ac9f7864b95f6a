# an older name
# needs: import transformers
import warnings

from transformers import BertConfig, BertModel

model = BertModel(BertConfig(num_hidden_layers=1))
warnings.simplefilter("error")
model.gradient_checkpointing_enable()  # run: `activation_checkpointing_enable`
