# a folder without a type
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = tempfile.mkdtemp()
(Path(folder) / "config.json").write_text("{}")
config = AutoConfig.from_pretrained(folder)  # run: `model_type`
