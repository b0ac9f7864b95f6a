# parts where a text is wanted
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% for m in messages %}{{ m.role + ': ' + m.content }}{% endfor %}"
chat = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
ids = tokenizer.apply_chat_template(chat)  # run: `content`
