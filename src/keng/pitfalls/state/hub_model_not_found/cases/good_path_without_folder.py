# what is to be loaded is not there under the name that was given
# needs: import transformers
import tempfile

from transformers import AutoModel, BertConfig, BertModel

folder = tempfile.mkdtemp()
BertModel(BertConfig(num_hidden_layers=1)).save_pretrained(folder)
model = AutoModel.from_pretrained(folder)
