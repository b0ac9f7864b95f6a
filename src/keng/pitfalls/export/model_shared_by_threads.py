r"""One model answers several requests at the same time.

Servers of web pages and bots call their functions in threads, several at once. A model as PyTorch has it may be called so, as long as nothing is written on the way; what
is built around it keeps its state in itself: the scheduler of a diffusers pipeline counts its steps, a fast tokenizer its padding, a fastai Learner its batch, YOLO its
last image, Whisper its cache, and what moves parts between card and processor moves them away from each other. One request at a time works; two spoil each other's, and the
error, where there is one, names a size, a device or an attribute that was another request's.

Cure: a lock around the call (`with lock: model(...)`), or a queue with one worker (Gradio: `concurrency_limit=1`); or a model, pipeline and tokenizer of its own for each thread or
process; a fresh scheduler for each call, `type(pipe.scheduler).from_config(pipe.scheduler.config)`.

Bad:

```python
from concurrent.futures import ThreadPoolExecutor

from diffusers import DiffusionPipeline

pipe = DiffusionPipeline.from_pretrained("stabilityai/sdxl-turbo").to("cuda")
with ThreadPoolExecutor(2) as pool:
    images = list(pool.map(lambda prompt: pipe(prompt).images[0], ["a cat", "a dog"]))
```

Good:

```python
from threading import Lock

import torch

model, lock = torch.nn.Linear(2, 2), Lock()


def answer(x):
    with lock, torch.no_grad():
        return model(x)


y = answer(torch.ones(1, 2))
```

Message (diffusers; `29 steps`):

```text
  File "/env/lib/python3.10/site-packages/diffusers/pipelines/stable_diffusion_3/pipeline_stable_diffusion_3.py", line 902, in __call__
    latents = self.scheduler.step(noise_pred, t, latents, return_dict=False)[0]
  File "/env/lib/python3.10/site-packages/diffusers/schedulers/scheduling_flow_match_euler_discrete.py", line 295, in step
    sigma_next = self.sigmas[self.step_index + 1]
IndexError: index 29 is out of bounds for dimension 0 with size 29
```

Message (diffusers; `step_index`):

```text
  File "/env/lib/python3.10/site-packages/diffusers/schedulers/scheduling_flow_match_euler_discrete.py", line 303, in step
    self._step_index += 1
TypeError: unsupported operand type(s) for +=: 'NoneType' and 'int'
```

Message (an older tokenizers; `tokenizer`):

```text
  File "/env/lib/python3.8/site-packages/transformers/models/nllb/tokenization_nllb_fast.py", line 295, in set_src_lang_special_tokens
    self._tokenizer.post_processor = processors.TemplateProcessing(
RuntimeError: Already borrowed
```

Message (Ultralytics 8, while it joins layers; `bn`):

```text
  File "/env/lib/python3.8/site-packages/ultralytics/nn/tasks.py", line 130, in fuse
    delattr(m, 'bn')  # remove batchnorm
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 1235, in __delattr__
    super().__delattr__(name)
AttributeError: bn
```

Message (Ultralytics 8; `dt`):

```text
  File "/env/lib/python3.8/site-packages/ultralytics/yolo/engine/predictor.py", line 180, in stream_inference
    'inference': self.dt[1].dt * 1E3 / n,
AttributeError: 'Profile' object has no attribute 'dt'
```

Message (an older torch, compiled with mode="reduce-overhead"; `CUDA graphs`):

```text
  File "/env/lib/python3.11/site-packages/torch/_inductor/cudagraph_trees.py", line 310, in get_obj
    assert torch._C._is_key_in_tls(attr_name)
AssertionError
```

Message (fastai 2, in words; `one at a time`):

```text
I am running a (flask) web app that does inference with fastai. When several requests to the app happen (almost) simultaneously, the app fails:

AttributeError: 'Tensor' object has no attribute 'append'
```

Message (whisper-timestamped, in words; `one at a time`):

```text
It seems to work with one request. With two requests at the same time:

AssertionError: Inconsistent token list [50364, 1176] != [50364, 1177]
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import diffusers")

TOGETHER = re.compile(
    r"\b(?:multiple|several|two|2|many|parallel|simultaneous|concurrent) (?:\w{1,20} ){0,2}requests?\b|"
    r"\b(?:requests?|predictions)\b.{0,60}\b(?:simultaneous(?:ly)?|concurrent(?:ly)?|at the same time|at once|in parallel)\b|"
    r"\bconcurrency_(?:count|limit)=(?!1\b)|\b(?:simultaneous|concurrent|multi-?threaded|parallel) (?:inference|prediction|requests?)|"
    r"\b(?:multiple|several|two|2|many|parallel|different) threads\b.{0,60}\b(?:predict|infer|generat|transcri)|"
    r"并发请求|同时请求|多个请求",
    re.IGNORECASE,
)
"""What people write of requests that come together."""


@pitfall.explains(
    r"index (?P<steps>\d+) is out of bounds for dimension 0 with size (?P=steps)(?!\d)",
    r"unsupported operand type\(s\) for \+=: 'NoneType' and 'int'",
    odds=0.96,
)
def scheduler_stepped_by_two(failure: Failure) -> Hits:
    steps = failure.groups.get("steps")
    what = f"ran past its {steps} steps" if steps else "was set back between two steps (step_index)"
    if "/diffusers/schedulers/" in failure.raised_in:
        yield failure.hit(
            f"the pipeline's scheduler {what}: two threads share it, or a loop began without set_timesteps; a fresh scheduler for each call, or a lock"
        )


@pitfall.explains(r"(?:^|Error: )Already (?:mutably )?borrowed$", odds=0.93)
def tokenizer_set_by_two(failure: Failure) -> Hits:
    known = any(failure.shows(word) for word in ("tokeniz", "transformers"))
    yield failure.hit(
        "two threads set the padding or truncation of one fast tokenizer: a copy for each, copy.deepcopy(tokenizer), or a lock around it",
        sure=known or "tokeniz" in failure.told,
    )


@pitfall.explains(
    r"AttributeError: (?P<what>bn)$", r"'Profile' object has no attribute '(?P<what>dt)'", odds=0.93
)
def one_yolo_for_two(failure: Failure) -> Hits:
    if failure.shows("ultralytics"):
        yield failure.hit(
            f"two threads use one YOLO at the same time, and each takes away what the other needs (`{failure.groups['what']}`): YOLO(...) made in each thread"
        )


@pitfall.explains(r"_is_key_in_tls\(attr_name\)", odds=0.95)
def graphs_of_another_thread(failure: Failure) -> Hits:
    yield failure.hit(
        'CUDA graphs belong to the thread that recorded them: one thread for all calls of the compiled model, or another mode than "reduce-overhead"'
    )


@pitfall.explains(  # of what others' messages say no more than tells them: pieces of these are theirs
    r"tensors to be on|side assert triggered|must match the (?:size|existing)|out of bounds for|illegal memory|invalid for input|must match except|"
    r"CUDNN_STATUS_|has no attribute|out of range in|Inconsistent token",
    odds=0.955,
)
def answered_at_once(failure: Failure) -> Hits:
    if TOGETHER.search(" ".join(failure.told.split())):
        yield failure.hit(
            "requests that come together share one model, and each writes over what the other keeps in it: one at a time, with a lock or a queue, or a model for each worker"
        )
