# a folder without a tokenizer
import tempfile

from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(tempfile.mkdtemp())
