r"""A trainer asks a server of vLLM for answers, and none is up.

GRPO can have its answers written by vLLM: in a server of its own, which is started by itself and on cards of its own, or inside of the trainer, on the same cards. Up to TRL 0.15 the trainer started
vLLM; since 0.16 it waits for the server, by default for 240 seconds, and then gives up.

Cure: `CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model NAME` in a shell of its own, and the trainer on the other cards once that is up; or `vllm_mode="colocate"` where there is one card.

Bad:

```python
from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **rest):
    return [float(len(each)) for each in completions]


data = load_dataset("trl-lib/tldr", split="train")
config = GRPOConfig("out", use_vllm=True, vllm_mode="server")
trainer = GRPOTrainer("Qwen/Qwen3-0.6B", reward, config, train_dataset=data)
```

Good:

```python
from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **rest):
    return [float(len(each)) for each in completions]


data = load_dataset("trl-lib/tldr", split="train")
config = GRPOConfig("out", use_vllm=True, vllm_mode="colocate")
trainer = GRPOTrainer("Qwen/Qwen3-0.6B", reward, config, train_dataset=data)
```

Message (TRL 0 and 1; `http://0.0.0.0:8000`):

```text
ConnectionError: The vLLM server can't be reached at http://0.0.0.0:8000 after 240.0 seconds. Make sure the server is running by running `trl vllm-serve`.
```

Message (TRL 0 and 1; `trl vllm-serve`):

```text
2025-03-26 05:53:13 - INFO - trl.extras.vllm_client - Server is not up yet. Retrying in 2.0 seconds...
```

Message (TRL 0 and 1; `CUDA_VISIBLE_DEVICES`):

```text
RuntimeError: Attempting to use the same CUDA device (UUID: 7f3a1c52) for multiple distinct roles/ranks within the same communicator. This setup is unsupported and will likely lead to program hangs or incorrect behavior. Ensure that trainer is using different devices than vLLM server.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="TRL")

pitfall.answers(
    {
        "Server is not up yet. Retrying in": 'the trainer waits for a server that is started apart: `trl vllm-serve` on other cards, or vllm_mode="colocate"',
        "for multiple distinct roles/ranks within the same communicator": "trainer and server compute on one card: other numbers in CUDA_VISIBLE_DEVICES for each",
    },
    odds=0.95,
)


@pitfall.explains(r"The vLLM server can't be reached at (?P<where>\S{5,80}) after", odds=0.97)
def nobody_answers(failure: Failure) -> Hits:
    yield failure.hit(
        f'no server of vLLM answers at {failure.groups["where"]}: `trl vllm-serve` on other cards, the same address and port on both sides, or vllm_mode="colocate"'
    )
