# a shard of several
import tempfile
from pathlib import Path

from transformers import AutoModel, BertConfig, BertModel

folder = Path(tempfile.mkdtemp())
model = BertModel(BertConfig(num_hidden_layers=1, hidden_size=24, vocab_size=900))
model.save_pretrained(folder, max_shard_size="100KB")
next(folder.glob("model-00002-of-*")).unlink()
model = AutoModel.from_pretrained(folder)  # run: `model-00002-of-`
