r"""A program takes what `reset` and `step` of another Gym give.

Since gym 0.26, and in Gymnasium from its first version, `env.reset()` gives a pair, the observation and a dict, and `env.step(action)` five values: the end by the task and the
end by the clock are told apart. Before, they gave the observation alone and four values, as the vectorized environments of Stable-Baselines3 do to this day. A program for
the one unpacks too many or too few under the other, or makes a tensor of the pair. The seed goes into `reset` now.

Cure: `state, info = env.reset(seed=0)`, `state, reward, terminated, truncated, info = env.step(action)` and `done = terminated or truncated`, with `import
gymnasium as gym`; an old program as it is runs under `pip install "gym<0.26"`.

Bad:

```python
import numpy as np
import torch


class Pole:
    def reset(self):
        return np.zeros(4, dtype=np.float32), {}


env = Pole()
state = env.reset()
batch = torch.tensor([state[0]])
state = torch.from_numpy(state).unsqueeze(0)  # seen: `state`
```

Bad (a list of it):

```python
import numpy as np
import torch

state = np.zeros(4, dtype=np.float32), {}
x = torch.FloatTensor(state)  # seen: `state, info = env.reset()`
```

Bad (four of five):

```python
import torch


class Pole:
    def step(self, action):
        return torch.zeros(4), 1.0, False, False, {}


env = Pole()
state, reward, done, info = env.step(torch.tensor(1))  # seen: `terminated or truncated`
```

Good:

```python
import numpy as np
import torch


class Pole:
    def reset(self):
        return np.zeros(4, dtype=np.float32), {}


state, info = Pole().reset()
x = torch.from_numpy(state)
```

Message (gym before 0.26; `before 0.26`):

```text
  File "dqn.py", line 31, in <module>
    state, _ = env.reset()
ValueError: too many values to unpack (expected 2)
```

Message (gym before 0.26; `before 0.26`):

```text
  File "ppo.py", line 40, in <module>
    obs, reward, terminated, truncated, info = env.step(action)
ValueError: not enough values to unpack (expected 5, got 4)
```

Message (torch 2.13, of an image; `state, info = env.reset()`):

```text
  File "train.py", line 22, in select_action
    state = torch.as_tensor(state, dtype=torch.float32)
RuntimeError: Could not infer dtype of dict
```

Message (Gymnasium; `env.reset(seed=...)`):

```text
  File "reinforce.py", line 12, in <module>
    env.seed(0)
AttributeError: 'TimeLimit' object has no attribute 'seed'
```

Message (Gymnasium and Stable-Baselines3 2; `seed=None, options=None`):

```text
  File "/env/lib/python3.10/site-packages/stable_baselines3/common/vec_env/dummy_vec_env.py", line 77, in reset
    obs, self.reset_infos[env_idx] = self.envs[env_idx].reset(seed=self._seeds[env_idx], **maybe_options)
TypeError: SnakeEnv.reset() got an unexpected keyword argument 'seed'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

TAKEN = re.compile(r"\benvs?\w{0,20}\.(?P<method>reset|step)\(")
STATE = re.compile(
    r"\b(?:FloatTensor|tensor|as_tensor|from_numpy|Tensor)\(\[?(?P<name>(?:self\.)?(?:\w{1,20}_)?(?:state|obs|observation)\d?)\b"
)
LEARNS = re.compile(
    r"torch|agent|policy|(?<!f)actor|critic|dqn|ppo|reinforce|replay", re.IGNORECASE
)
BEFORE = "a gym before 0.26, or a vectorized environment of Stable-Baselines3"


def _learns_by_itself(failure: Failure) -> bool:
    """Whether it is the user's line, and of a program that learns: gym and its robots are for others, too."""
    shown = [text for frame in failure.frames for text in (frame.path, frame.text, frame.function)]
    own = not failure.frames or failure.frames[-1].user
    return own and any(map(LEARNS.search, [*shown, failure.message, failure.told]))


@pitfall.explains(
    r"too many values to unpack \(expected (?P<wants>[24])\)",
    r"not enough values to unpack \(expected (?P<wants>[25]), got [14]\)",
    odds=0.95,
)
def other_number_of_values(failure: Failure) -> Hits:
    found = TAKEN.search(failure.line or failure.around)
    learns = found is not None and _learns_by_itself(failure)
    taken = (found["method"], failure.groups["wants"]) if found and learns else ("", "")
    if taken == ("step", "4"):
        yield failure.hit(
            "step of Gymnasium and of gym since 0.26 gives five values: state, reward, terminated, truncated, info; done = terminated or truncated"
        )
    elif taken in (("step", "5"), ("reset", "2")):
        gives = "four values, without truncated" if taken[0] == "step" else "the observation alone"
        yield failure.hit(f"{taken[0]} is of {BEFORE} and gives {gives}: unpack that, or newer gym")


@pitfall.explains(
    r"expected np\.ndarray \(got tuple\)",
    r"expected sequence of length \d+ at dim [12] \(got 0\)",
    r"Could not infer dtype of dict",
    odds=0.97,
)
def pair_made_a_tensor(failure: Failure) -> Hits:
    acts = any(re.search("act|choose", frame.function) for frame in failure.frames if frame.user)
    found = STATE.search(failure.line or failure.around)
    if found and (acts or "of dict" not in failure.message):  # a dict of weights is a state, too
        yield failure.hit(
            f"`{found['name']}` is the pair of observation and dict that reset of Gymnasium gives: state, info = env.reset()"
        )


@pitfall.explains(
    r"object has no attribute '(?P<seed>seed)'",
    r"\breset\(\) got an unexpected keyword argument '(?P<argument>seed|options)'",
    odds=0.95,
)
def seeded_otherwise(failure: Failure) -> Hits:
    seeds = re.search(r"\benvs?\w{0,20}\.seed\(", failure.line)
    if failure.groups.get("seed") and seeds and _learns_by_itself(failure):
        yield failure.hit(
            "environments of Gymnasium take the seed where they begin: env.reset(seed=...)"
        )
    elif failure.groups.get("argument") and any(map(failure.shows, ("gym", "stable_baselines"))):
        yield failure.hit(
            "Gymnasium gives reset a seed and options: def reset(self, *, seed=None, options=None), super().reset(seed=seed), return observation, {}"
        )
