# a head of another size
import tempfile

from transformers import BertConfig, BertForSequenceClassification

folder, small = tempfile.mkdtemp(), dict(num_hidden_layers=1, hidden_size=12, vocab_size=9)
BertForSequenceClassification(BertConfig(**small, num_labels=2)).save_pretrained(folder)
model = BertForSequenceClassification.from_pretrained(folder, num_labels=3)  # run: MISMATCH
