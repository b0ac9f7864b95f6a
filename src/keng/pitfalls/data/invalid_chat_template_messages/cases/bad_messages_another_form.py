# messages of another form
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% for m in messages %}{{ m.role + ': ' + m.content }}{% endfor %}"
ids = tokenizer.apply_chat_template([{"from": "human", "value": "hi"}])  # run: `role`
