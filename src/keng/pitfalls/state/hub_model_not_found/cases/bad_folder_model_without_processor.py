# a folder of a model without its processor
# needs: import transformers
import tempfile

from transformers import AutoImageProcessor, ViTConfig

folder = tempfile.mkdtemp()
ViTConfig(num_hidden_layers=1).save_pretrained(folder)
processor = AutoImageProcessor.from_pretrained(folder)  # run: `image processor`
