"""Error messages: a folder that holds no code is imported in place of a library."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OF_DATASETS = (
    "load_dataset|load_from_disk|load_metric|Dataset(?:Dict)?|IterableDataset|concatenate_datasets|interleave_datasets|"
    "Features|Value|ClassLabel|Audio|Image|Sequence|DownloadConfig|config"
)


OF_EVALUATE = "load|combine|evaluator"


@explains("nothing-in-it")
def nothing_in_it(failure: Failure) -> Hits:
    module, what = failure.groups["module"], failure.groups["what"]
    own = {"datasets": OF_DATASETS, "evaluate": OF_EVALUATE}.get(module, what)
    if re.fullmatch(own, what):
        name = module.partition(".")[0]
        yield failure.hit(say("found-folder-without-code", name=module, name_2=name))
