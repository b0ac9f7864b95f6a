# by Transformers
import os

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoConfig

config = AutoConfig.from_pretrained("owner/a-model-not-in-the-cache")  # run: cache
