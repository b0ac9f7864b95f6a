r"""An image pipeline is given what its model does not take.

A pipeline of diffusers takes a prompt as text or as embeddings, a size that the VAE divides, a generator for each image, and as many steps as the schedule has at most. CLIP reads 77 tokens. A UNet
for inpainting has nine channels of input, for editing by instructions eight, and a plain one four: its checkpoint goes with its pipeline. What a safety checker takes for indecent comes out black.

Cure: one of `prompt` and `prompt_embeds`; `generator=[...]` of as many as prompts times `num_images_per_prompt`; the checkpoint that was trained for the pipeline.

Bad:

```python
from diffusers import StableDiffusionPipeline

pipeline = StableDiffusionPipeline.from_pretrained("stable-diffusion-v1-5/stable-diffusion-v1-5")
image = pipeline(negative_prompt="blurred").images[0]
```

Good:

```python
prompt = "a lighthouse in the morning"
negative = "blurred"
```

Message (diffusers; `neither`):

```text
ValueError: Provide either `prompt` or `prompt_embeds`. Cannot leave both `prompt` and `prompt_embeds` undefined.
```

Message (diffusers; `negative_prompt_embeds`):

```text
ValueError: Cannot forward both `negative_prompt`: blurred and `negative_prompt_embeds`: tensor([[[-0.3884,  0.0229]]]). Please make sure to only forward one of the two.
```

Message (diffusers; `Series`):

```text
ValueError: `prompt` has to be of type `str` or `list` but is <class 'pandas.core.series.Series'>
```

Message (diffusers; `4 images`):

```text
ValueError: You have passed a list of generators of length 2, but requested an effective batch size of 4. Make sure the batch size matches the length of the generators.
```

Message (diffusers; `1000`):

```text
ValueError: `num_inference_steps`: 2000 cannot be larger than `self.config.train_timesteps`: 1000 as the unet model trained with this scheduler can only handle maximal 1000 timesteps.
```

Message (diffusers; `set_timesteps`):

```text
ValueError: Number of inference steps is 'None', you need to run 'set_timesteps' after creating the scheduler
```

Message (diffusers; `4 channels`):

```text
ValueError: Incorrect configuration settings! The config of `pipeline.unet`: FrozenDict([('sample_size', 64), ('in_channels', 4)]) expects 4 but received `num_channels_latents`: 4 + `num_channels_mask`: 1 + `num_channels_masked_image`: 4 = 9. Please verify the config of `pipeline.unet` or your `mask_image` or `image` input.
```

Message (diffusers; `77`):

```text
The following part of your input was truncated because CLIP can only handle sequences up to 77 tokens: ['in the style of an old master']
```

Message (diffusers; `black`):

```text
Potential NSFW content was detected in one or more images. A black image will be returned instead. Try again with a different prompt and/or seed.
```

Message (diffusers; `2.0`):

```text
ValueError: The value of strength should in [0.0, 1.0] but is 2.0
```

Message (a plain checkpoint of Stable Diffusion where a pipeline for inpainting runs; `takes 4 channels`):

```text
RuntimeError: Given groups=1, weight of size [320, 4, 3, 3], expected input[2, 9, 64, 64] to have 4 channels, but got 9 channels instead
```

Message (ControlNet with a checkpoint for inpainting; `takes 9 channels`):

```text
the preprocessor does not work with inpainting models:
RuntimeError: The size of tensor a (9) must match the size of tensor b (4) at non-singleton dimension 1
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="diffusers")

DIFFUSES = re.compile(r"inpaint|controlnet|pix2pix|diffusion", re.IGNORECASE)

pitfall.answers(
    {
        "Cannot leave both `prompt` and `prompt_embeds` undefined": "the pipeline is given neither a prompt nor its embeddings: prompt=",
        "Number of inference steps is 'None', you need to run": "the scheduler is stepped before it knows its steps: scheduler.set_timesteps(n) first",
        "Potential NSFW content was detected in one or more images": "the safety checker takes the image for indecent and makes it black, wrongly at times: another seed or prompt",
    },
    odds=0.95,
)


@pitfall.explains(r"Cannot forward both `(?P<one>(?:negative_)?prompt\w{0,3})`: ", odds=0.97)
def given_twice(failure: Failure) -> Hits:
    one = failure.groups["one"]
    yield failure.hit(f"`{one}` is given as text and as `{one}_embeds`: one of the two")


@pitfall.explains(
    r"`prompt` has to be of type `str` or `list` but is <class '(?P<kind>[\w.]{1,100})'>", odds=0.97
)
def prompt_of_another_kind(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(f"the prompt is a {kind}: a text, or a list of texts")


@pitfall.explains(
    r"passed a list of generators of length (?P<n>\d+), but requested an effective batch size of (?P<images>\d+)",
    odds=0.97,
)
def generators_too_few(failure: Failure) -> Hits:
    n, images = failure.groups["n"], failure.groups["images"]
    yield failure.hit(
        f"{n} generators are given for {images} images, prompts times num_images_per_prompt: a list of {images}, or one generator"
    )


@pitfall.explains(
    r"`num_inference_steps`: (?P<came>\d+) cannot be larger than `self\.config\.train_timesteps`: (?P<most>\d+)",
    odds=0.97,
)
def more_steps_than_trained(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    yield failure.hit(
        f"{came} steps are asked for of a schedule with {most}: 20 to 50 do as a rule"
    )


@pitfall.explains(
    r"config of `pipeline\.unet`.{0,4000}? expects (?P<wants>\d+) but received .{0,200}? = (?P<came>\d+)\.",
    r"weight of size \[320, (?P<wants>[489]), 3, 3\], expected input\[\d+, (?P<came>[489]), \d+, \d+\] to have",
    r"size of tensor a \((?P<wants>[89])\) must match the size of tensor b \((?P<came>4)\) at non-singleton dimension 1\b",
    odds=0.97,
)
def unet_of_another_pipeline(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if "size of tensor" not in failure.message or DIFFUSES.search(failure.told):
        yield failure.hit(
            f"the UNet takes {wants} channels and this pipeline gives it {came}: a checkpoint that was trained for it, as one for inpainting, or another pipeline"
        )


@pitfall.explains(
    r"truncated because (?P<who>\w{2,20}) can only handle sequences up to (?P<most>\d+) tokens",
    odds=0.96,
)
def prompt_too_long(failure: Failure) -> Hits:
    who, most = failure.groups["who"], failure.groups["most"]
    yield failure.hit(
        f"the prompt is longer than the {most} tokens that {who} reads, and its end is not seen: what counts first, and shorter"
    )


@pitfall.explains(
    r"value of strength should in \[0\.0, 1\.0\] but is (?P<came>-?[\d.]{1,12})", odds=0.97
)
def strength_is_a_share(failure: Failure) -> Hits:
    yield failure.hit(
        f"strength={failure.groups['came']}, which is the share of noise that the image gets: 0.3 to 0.8 as a rule"
    )
