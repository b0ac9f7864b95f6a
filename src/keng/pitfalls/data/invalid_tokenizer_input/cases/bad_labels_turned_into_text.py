# labels turned into text
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words)
texts = tokenizer.batch_decode([[0, 1, -100]])  # run: `-100`
