# the model is newer than the Transformers that is installed
import json
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = Path(tempfile.mkdtemp())
(folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
config = AutoConfig.from_pretrained(folder)
