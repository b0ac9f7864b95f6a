# roles that the template does not take
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"hi": 0}, "hi")))
tokenizer.chat_template = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
chat = [{"role": "system", "content": "hi"}, {"role": "user", "content": "hi"}]
ids = tokenizer.apply_chat_template(chat)  # run: `system`
