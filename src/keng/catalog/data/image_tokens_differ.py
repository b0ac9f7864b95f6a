r"""A text holds another number of image placeholders than its pictures give.

A model of pictures and text puts the features of a picture in the places that the text keeps for it: `<image>` in the prompt, which the processor
repeats once for each feature. A prompt without it, a template that was not applied, a truncation that cut some of them off, or a processor of
another version leave more or fewer places than features.

Cure: `processor.apply_chat_template` with an entry of type "image" for each picture; no truncation, or a longer `max_length`; `patch_size` and
`vision_feature_select_strategy` in the processor as in the model's config.

Bad:

```python
from transformers import AutoProcessor

processor = AutoProcessor.from_pretrained("llava-hf/llava-1.5-7b-hf")
inputs = processor(text="What is this?", images=picture, return_tensors="pt")
```

Good:

```python
from transformers import AutoProcessor

processor = AutoProcessor.from_pretrained("llava-hf/llava-1.5-7b-hf")
inputs = processor(text="<image>What is this?", images=picture, return_tensors="pt")
```

Message (transformers; `576`):

```text
ValueError: Image features and image tokens do not match: tokens: 0, features 576
```

Message (transformers; `576`):

```text
ValueError: The number of image tokens does not match: tokens: 1, features 576
```

Message (transformers 4.36 to 4.46; `the number of images`):

```text
ValueError: The input provided to the model are wrong. The number of image tokens is 0 while the number of image given to the model is 1. This prevents correct indexing and breaks batch generation.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a processor from the hub")


@pitfall.explains(
    r"(?:Image|Video) features and (?:image|video) tokens do not match:? tokens: (?P<tokens>\d+), features:? (?P<features>\d+)",
    r"number of image tokens does not match: tokens: (?P<tokens>\d+), features (?P<features>\d+)",
    r"The number of image tokens is (?P<tokens>\d+) while the number of image given to the model is (?P<images>\d+)",
    odds=0.96,
)
def places_for_features(failure: Failure) -> Hits:
    tokens, features = int(failure.groups["tokens"]), failure.groups.get("features")
    meet = (
        f"{tokens} places for {features} features"
        if features
        else f"{tokens} places, and not the number of images"
    )
    cure = "the text has lost some: no truncation, a processor of the model's version"
    if tokens < 2:
        cure = "put the placeholder into the text, by apply_chat_template or <image>"
    yield failure.hit(f"the text keeps {meet}: {cure}")
