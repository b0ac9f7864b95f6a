# the seed may be among the keywords that are passed on
from lab import make_loader

options = {"seed": 3}
loader = make_loader(list(range(8)), shard=0, shards=2, **options)
