# an argument that Transformers 5 does not know
import tempfile

from transformers import AutoModel, BertConfig, BertModel

folder = tempfile.mkdtemp()
BertModel(BertConfig(num_hidden_layers=1, hidden_size=12, vocab_size=9)).save_pretrained(folder)
model = AutoModel.from_pretrained(folder, load_in_4bit=True)  # run: `BitsAndBytesConfig`
