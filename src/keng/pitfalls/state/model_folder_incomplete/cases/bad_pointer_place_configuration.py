# a pointer in place of the configuration
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = tempfile.mkdtemp()
(Path(folder) / "config.json").write_text("version https://git-lfs.github.com/spec/v1")
config = AutoConfig.from_pretrained(folder)  # run: `Git LFS`
