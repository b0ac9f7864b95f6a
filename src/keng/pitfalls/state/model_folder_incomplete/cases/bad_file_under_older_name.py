# a file under its older name
import tempfile
from pathlib import Path

import torch
from transformers import BertConfig, BertModel

folder = Path(tempfile.mkdtemp())
BertModel(BertConfig(num_hidden_layers=1)).save_pretrained(folder)
state = torch.load(folder / "pytorch_model.bin")  # run: `model.safetensors`
