# a number for a text
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
batch = PreTrainedTokenizerFast(tokenizer_object=words)(5)  # run: `list(column)`
