r"""A model's code asks the cache for what another version of Transformers has.

What attention keeps of earlier tokens was a tuple of tuples once, and is a `Cache` object now, whose methods changed from version to version. A model from the Hub that brings its own code
(`trust_remote_code=True`) was written for the version of its day, and so was a tutorial that hands tuples on.

Cure: leave `trust_remote_code=True` out where Transformers has the model itself by now; take a newer revision of the model; or install the version that the model's card or its
`config.json` (`transformers_version`) names.

Bad:

```python
from transformers import DynamicCache

cache = DynamicCache()
past = cache.get_usable_length(8)
```

Bad (a tuple is handed on):

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
keys = torch.zeros(1, 12, 3, 64)
output = model(torch.tensor([[464]]), past_key_values=((keys, keys),))
```

Good:

```python
import torch
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
cache = DynamicCache(config=model.config)
output = model(torch.tensor([[464]]), past_key_values=cache)
past = cache.get_seq_length()
```

Message (transformers 5, the code of Phi-3; `seen_tokens`):

```text
  File "/home/bob/.cache/huggingface/modules/transformers_modules/microsoft/Phi-3-mini-4k-instruct/0a67737c/modeling_phi3.py", line 1291, in prepare_inputs_for_generation
    past_length = past_key_values.seen_tokens
AttributeError: 'DynamicCache' object has no attribute 'seen_tokens'
```

Message (transformers 4.49 to 4.51, the code of DeepSeek-V2; `get_max_length`):

```text
AttributeError: 'DynamicCache' object has no attribute 'get_max_length'. Did you mean: 'get_seq_length'?
```

Message (transformers 5; `from_legacy_cache`):

```text
AttributeError: type object 'DynamicCache' has no attribute 'from_legacy_cache'
```

Message (transformers 5; `tuple`):

```text
TypeError: 'DynamicCache' object is not subscriptable
```

Message (transformers 4, an empty cache is read by its index; `tuple`):

```text
KeyError: 'Cache only has 0 layers, attempted to access layer with index 0'
```

Message (transformers 5; `tuple`):

```text
ValueError: Passing a tuple of `past_key_values` is not supported anymore. Please use a `Cache` instance.
```

Message (transformers 4.43 to 4.57; `DynamicCache`):

```text
We detected that you are passing `past_key_values` as a tuple of tuples. This is deprecated and will be removed in v4.47. Please convert your cache or use an appropriate `Cache` class (https://huggingface.co/docs/transformers/kv_cache#legacy-cache-format)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


INSTEAD = {
    "seen_tokens": "get_seq_length()",
    "get_max_length": "get_max_cache_shape()",
    "get_usable_length": "get_seq_length()",
    "key_cache": "layers[i].keys",
    "value_cache": "layers[i].values",
    "to_legacy_cache": "the cache itself",
    "from_legacy_cache": "DynamicCache()",
}


@pitfall.explains(
    rf"'\w{{0,30}}Cache' (?:object )?has no attribute '(?P<what>{'|'.join(INSTEAD)})'", odds=0.97
)
def taken_away(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"code for an older Transformers asks the cache for `{what}` ({INSTEAD[what]} instead): a model of the Hub without trust_remote_code=True, "
        "a newer revision of it, or the Transformers that its config.json names"
    )


@pitfall.explains(
    r"'\w{0,30}Cache' object is not subscriptable|Passing a tuple of `past_key_values` is not supported",
    r"Cache only has 0 layers, attempted to access layer with index",
    r"'tuple' object has no attribute '(?:get_seq_length|get_usable_length|get_mask_sizes|to_legacy_cache)'",
    odds=0.95,
)
def taken_for_tuple(failure: Failure) -> Hits:
    yield failure.hit(
        "one side takes what attention keeps for a tuple, the other for a Cache, and they are of different versions: past_key_values=DynamicCache() in code "
        "of one's own, or the Transformers that the model's config.json names"
    )


@pitfall.explains(r"passing `past_key_values` as a tuple", odds=0.95)
def tuple_for_now(failure: Failure) -> Hits:
    yield failure.hit(
        "past_key_values as a tuple still works, and Transformers 5 refuses it: DynamicCache() in its place"
    )
