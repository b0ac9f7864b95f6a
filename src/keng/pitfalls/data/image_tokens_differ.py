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

Message (transformers; `into the text`):

```text
ValueError: Image features and image tokens do not match: tokens: 0, features 576
```

Message (transformers; `as it was written`):

```text
ValueError: The number of image tokens does not match: tokens: 1, features 576
```

Message (transformers 4.36 to 4.46; `the number of images`):

```text
ValueError: The input provided to the model are wrong. The number of image tokens is 0 while the number of image given to the model is 1. This prevents correct indexing and breaks batch generation.
```

Message (transformers 5; `no images`):

```text
ValueError: Found 1 <image> tokens in the text but no images were passed.
```

Message (transformers 5; `2 places of <image>`):

```text
ValueError: The total number of <image> tokens in the prompts should be the same as the number of images passed. Found total 2 <image> tokens and 1 images.
```

Message (transformers 4.50 to 5; `truncation`):

```text
ValueError: Mismatch in `image` token count between text and `input_ids`. Got ids=[511] and text=[576]. Likely due to `truncation='max_length'`. Please disable truncation or increase `max_length`.
```

Message (TRL 1; `max_length=512`):

```text
ValueError: The current `max_length` (512) is too short and causes image placeholder tokens in `input_ids` to be truncated, while the corresponding image features remain intact. Please increase `max_length` or set it to `None` to disable truncation.
```

Message (TRL 1; `2 pictures`):

```text
ValueError: Number of images provided (2) does not match number of image placeholders (1).
```

Message (transformers; `counted otherwise`):

```text
ValueError: Image features and image tokens do not match: tokens: 577, features 576
```

Message (transformers; `no truncation`):

```text
ValueError: Image features and image tokens do not match: tokens: 1980, features 2340
```

Message (transformers 4.36 to 4.46; `for each picture`):

```text
ValueError: The input provided to the model are wrong. The number of image tokens is 2 while the number of image given to the model is 1. This prevents correct indexing and breaks batch generation.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a processor from the hub")

FEW = 16
"""Pictures in a text, and tokens beside those of the patches, at most."""


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
    apart = int(features) - tokens if features else 0
    if not tokens:
        cure = "put the placeholder into the text, by apply_chat_template or <image>"
    elif not features:
        cure = "one placeholder for each picture, which the processor repeats"
    elif apart > FEW and tokens <= FEW:
        cure = "the placeholder stands there as it was written: the processor repeats it, given text and images together, with the model's patch_size and vision_feature_select_strategy"
    elif 0 < abs(apart) <= FEW:
        cure = "counted otherwise: patch_size, vision_feature_select_strategy and num_additional_image_tokens of the processor as in the model's config"
    yield failure.hit(f"the text keeps {meet}: {cure}")


@pitfall.explains(
    r"Found total (?P<n>\d{1,9}) (?P<token>\S{1,40}) tokens and (?P<came>\d{1,9} (?:images|videos|audio inputs))",
    r"Found (?P<n>\d{1,9}) (?P<token>\S{1,40}) tokens in the text but (?P<came>no (?:images|videos|audio inputs)) were passed",
    odds=0.96,
)
def places_for_inputs(failure: Failure) -> Hits:
    n, token, came = (failure.groups[key] for key in ("n", "token", "came"))
    yield failure.hit(
        f"the text keeps {n} places of {token}, and {came} come: one place for each, by apply_chat_template, in the order of the list that the "
        "processor gets"
    )


@pitfall.explains(
    r"Mismatch in `(?P<kind>\w{3,20})` token count between text and `input_ids`\. Got ids=\[(?P<left>\d{1,9})[\d, ]*\] and text=\[(?P<n>\d{1,9})",
    odds=0.96,
)
def places_cut_off(failure: Failure) -> Hits:
    kind, left, n = (failure.groups[key] for key in ("kind", "left", "n"))
    yield failure.hit(
        f"of {n} places for {kind} features in the text, {left} are left after truncation: a longer max_length, none, or smaller pictures "
        "(max_pixels, size)"
    )


@pitfall.explains(
    r"current `max_length` \((?P<most>\d+)\) is too short and causes image placeholder", odds=0.97
)
def pictures_cut_off(failure: Failure) -> Hits:
    yield failure.hit(
        f"max_length={failure.groups['most']} cuts places of a picture off: max_length=None, or smaller pictures"
    )


@pitfall.explains(
    r"Number of images provided \((?P<images>\d+)\) does not match number of image placeholders \((?P<places>\d+)\)",
    odds=0.97,
)
def entries_for_pictures(failure: Failure) -> Hits:
    images, places = failure.groups["images"], failure.groups["places"]
    yield failure.hit(
        f'an example of the data has {images} pictures and {places} entries of type "image" in its messages: one entry for each'
    )
