# code, most often that which a model brings, was written for an older Transformers
# needs: import tokenizers, transformers
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
batch = tokenizer(["hi"])
