from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import DataCollatorForLanguageModeling, PreTrainedTokenizerFast

words = ["[UNK]", "[PAD]", "the", "cat", "sat", "down"]
core = Tokenizer(WordLevel({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
core.pre_tokenizer = Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, unk_token="[UNK]", pad_token="[PAD]")

collator = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15)
batch = collator([tokenizer("the cat sat"), tokenizer("the cat")])
print(batch["input_ids"].shape)
