# no token to fill with
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words)
batch = tokenizer(["good", "bad"], padding=True)  # run: `pad_token`
