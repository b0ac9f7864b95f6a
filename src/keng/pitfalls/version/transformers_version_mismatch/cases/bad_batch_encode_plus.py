# A tokenizer called the older way
# needs: import tokenizers, transformers
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
batch = tokenizer.batch_encode_plus(["hi"])  # run: `tokenizer(texts)`
