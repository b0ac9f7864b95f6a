# A model's code asks the cache for what another version of Transformers has
from transformers import DynamicCache

cache = DynamicCache()
past = cache.get_usable_length(8)
