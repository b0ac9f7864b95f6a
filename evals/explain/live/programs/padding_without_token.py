from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

words = "the a cat dog sat ran on mat far [UNK]".split()
core = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
core.pre_tokenizer = pre_tokenizers.Whitespace()
wrapped = PreTrainedTokenizerFast(tokenizer_object=core, unk_token="[UNK]")


def encode(batch):
    return wrapped(batch, padding=True, truncation=True, max_length=8, return_tensors="pt")


sentences = ["the cat sat on the mat", "a dog ran"]
print(encode(sentences)["input_ids"])
