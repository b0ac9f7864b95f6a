r"""Transformers or the Hub tells of something that changes no result.

Both warn when an argument has a newer name, when a default is taken that was not asked for, or when a way is slower than another. The model and the texts are as they would be without the warning. What
is told of weights (`newly initialized`), of a padding token or of an attention mask is no such warning.

Cure: nothing; the newer name where the code is one's own; `transformers.logging.set_verbosity_error()` silences what Transformers logs.

Bad (an older name):

```python
import warnings

from transformers import BertConfig, BertModel

model = BertModel(BertConfig(num_hidden_layers=1))
warnings.simplefilter("error")
model.gradient_checkpointing_enable()  # seen: `activation_checkpointing_enable`
```

Good:

```python
from transformers import BertConfig, BertModel

model = BertModel(BertConfig(num_hidden_layers=1))
model.activation_checkpointing_enable()
```

Message (transformers 4.56 to 5; `dtype`):

```text
`torch_dtype` is deprecated! Use `dtype` instead!
```

Message (transformers 4.31 to 4.57; `legacy=False`):

```text
You are using the default legacy behaviour of the <class 'transformers.models.llama.tokenization_llama.LlamaTokenizer'>. This is expected, and simply means that the `legacy` (previous) behavior will be used so nothing changes for you. If you want to use the new behaviour, set `legacy=False`.
```

Message (transformers 4.0 to 4.57; `beyond`):

```text
Special tokens have been added in the vocabulary, make sure the associated word embeddings are fine-tuned or trained.
```

Message (transformers 4.45 to 4.57; `clean_up_tokenization_spaces`):

```text
FutureWarning: `clean_up_tokenization_spaces` was not set. It will be set to `True` by default. This behavior will be depracted in transformers v4.45, and will be then set to `False` by default.
```

Message (transformers 4.48 to 4.57; `use_fast`):

```text
Using a slow image processor as `use_fast` is unset and a slow processor was saved with this model. `use_fast=True` will be the default behavior in v4.52, even if the model was saved with a slow processor.
```

Message (transformers 4 and 5; `padding`):

```text
You're using a BertTokenizerFast tokenizer. Please note that with a fast tokenizer, using the `__call__` method is faster than using a method to encode the text followed by a call to the `pad` method to get a padded encoding.
```

Message (transformers 4 and 5; `pairs`):

```text
Be aware, overflowing tokens are not returned for the setting you have chosen, i.e. sequence pairs with the 'longest_first' truncation strategy. So the returned list will always be empty even if some tokens have been removed.
```

Message (transformers 4.46 to 5; `mean`):

```text
The new embeddings will be initialized from a multivariate normal distribution that has old embeddings' mean and covariance. As described in this article: https://nlp.stanford.edu/~johnhew/vocab-expansion.html. To disable this, use `mean_resizing=False`
```

Message (transformers 4 and 5; `batch_size`):

```text
You seem to be using the pipelines sequentially on GPU. In order to maximize efficiency please use a dataset
```

Message (tokenizers; `TOKENIZERS_PARALLELISM=false`):

```text
huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...
```

Message (huggingface_hub 0.23 to 1; `a library`):

```text
FutureWarning: `resume_download` is deprecated and will be removed in version 1.0.0. Downloads always resume when possible. If you want to force a new download, use `force_download=True`.
```

Message (huggingface_hub 0.30 to 2; `HTTP`):

```text
Xet Storage is enabled for this repo, but the 'hf_xet' package is not installed. Falling back to regular HTTP download. For better performance, install the package with: `pip install huggingface_hub[hf_xet]` or `pip install hf_xet`
```

Message (huggingface_hub, on Windows; `twice`):

```text
UserWarning: `huggingface_hub` cache-system uses symlinks by default to efficiently store duplicated files but your machine does not support them in C:\Users\u\.cache\huggingface\hub\models--gpt2. Caching files will still work but in a degraded version that might require more space on your disk.
```

Message (huggingface_hub, in Colab; `open`):

```text
UserWarning:
The secret `HF_TOKEN` does not exist in your Colab secrets.
```

Message (the Hub, by huggingface_hub 1 and 2; `open`):

```text
Warning: You are sending unauthenticated requests to the HF Hub. Please set a HF_TOKEN to enable higher rate limits and faster downloads.
```

Message (huggingface_hub; `from the cache`):

```text
Couldn't access the Hub to check for update but local file already exists. Defaulting to existing file. (error: timed out)
```

Message (transformers 4.36 to 4.57; `HF_HOME`):

```text
FutureWarning: Using `TRANSFORMERS_CACHE` is deprecated and will be removed in v5 of Transformers. Use `HF_HOME` instead.
```

Message (transformers 4.30 to 5; `revision=`):

```text
A new version of the following files was downloaded from https://huggingface.co/u/model:
- modeling_u.py
. Make sure to double-check they do not contain any added malicious code. To avoid downloading new versions of the code file, you can pin a revision.
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="import transformers")

OPEN = "no token is known here: open models load without, more slowly where many ask; gated ones want HF_TOKEN"
MEANS = {
    "`gradient_checkpointing_enable` is deprecated": "the older name still works, in 5 too: `activation_checkpointing_enable` where no older Transformers is meant",
    "`torch_dtype` is deprecated! Use `dtype`": "`torch_dtype` is the older name of `dtype` and still works, for releases before 4.56 too",
    "You are using the default legacy behaviour": "the tokenizer cuts texts as it did when the model was trained: right; legacy=False cuts otherwise behind special tokens",
    "Special tokens have been added in the vocabulary": "the tokenizer has special tokens beyond its vocabulary: right for a model as its authors released it; new tokens of one's own want resize_token_embeddings and training",
    "`clean_up_tokenization_spaces` was not set": "what decode() does with spaces before punctuation was not said: right; clean_up_tokenization_spaces=True or False says it",
    "Using a slow image processor as `use_fast` is unset": "the images are prepared as they were in training: right; use_fast=True is faster and gives numbers that differ a little",
    "using the `__call__` method is faster than using a method to encode": "a collator does the padding of texts that are tokens already: right",
    "overflowing tokens are not returned for the setting you have chosen": "pairs that are too long are cut, and what was cut off is not given back: right where nobody asks for it",
    "will be initialized from a multivariate normal distribution that has old": "resize_token_embeddings begins new tokens at the mean of the old ones: right, and better for training than at random",
    "You seem to be using the pipelines sequentially on GPU": "the texts go through the card one by one: right, and slow; a list or a dataset with batch_size=8",
    "just got forked, after parallelism has already been used": "workers are forked after the tokenizer used its threads, and do without: right; TOKENIZERS_PARALLELISM=false ends it",
    "`resume_download` is deprecated": "a library gives an older argument: downloads go on where they were without it",
    "The `resume_download` argument is deprecated and ignored": "a library gives an older argument: downloads go on where they were without it",
    "but the 'hf_xet' package is not installed. Falling back": "the file comes by plain HTTP, more slowly: right; pip install hf_xet",
    "cache-system uses symlinks by default to efficiently store": "Windows allows this user no links, so that some files lie twice in the cache: right; developer mode, or HF_HUB_DISABLE_SYMLINKS_WARNING=1",
    "The secret `HF_TOKEN` does not exist in your Colab": OPEN,
    "You are sending unauthenticated requests to the HF Hub": OPEN,
    "Couldn't access the Hub to check for update but local file": "the file is taken from the cache, as the Hub did not answer: right, unless it is newer there",
    "Using `TRANSFORMERS_CACHE` is deprecated": "the folder of the cache is named by an older variable, which Transformers 5 no longer reads: HF_HOME",
    "A new version of the following files was downloaded from": "the model brings code, and the newest was fetched: read it; revision='a commit' keeps to one",
}
pitfall.answers(MEANS, odds=0.93)
