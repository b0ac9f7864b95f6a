r"""What another Python or NumPy has pickled is read by this one.

A tensor is written as numbers, and any version reads it. A function or a random generator is pickled as the Python, NumPy and cloudpickle of that day hold it inside,
and those of another day cannot build it again. Stable-Baselines3 keeps the schedules of the learning rate and of the clipping so, and the spaces with their
generators; what it cannot read it leaves out with a warning, and breaks off where it is needed. NumPy 2 has moved its modules to `numpy._core`.

Cure: load under the Python and NumPy that wrote the file; or give anew what cannot be read,
`PPO.load(path, custom_objects={"lr_schedule": lambda _: 0.0, "clip_range": lambda _: 0.2, "observation_space": env.observation_space, "action_space": env.action_space})`;
for files of one's own weights alone, as `state_dict()`.

Bad:

```python
from stable_baselines3 import PPO

model = PPO.load("ppo_of_python_3_7.zip")
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save(torch.nn.Linear(2, 2).state_dict(), file)
```

Message (Stable-Baselines3; `lr_schedule`):

```text
UserWarning: Could not deserialize object lr_schedule. Consider using `custom_objects` argument to replace this object.
```

Message (Stable-Baselines3 2; `Python 3.10 or older`):

```text
UserWarning: Could not deserialize object learning_rate. Consider using `custom_objects` argument to replace this object.
Exception: code() argument 13 must be str, not int
```

Message (Stable-Baselines3 1 and 2; `a newer NumPy`):

```text
UserWarning: Could not deserialize object action_space. Consider using `custom_objects` argument to replace this object.
Exception: __generator_ctor() takes from 0 to 1 positional arguments but 2 were given
```

Message (Stable-Baselines3 2; `observation_space=env.observation_space`):

```text
KeyError: "The observation_space and action_space were not given, can't verify new environments"
```

Message (Stable-Baselines3 1; `lr_schedule`):

```text
  File "/env/lib/python3.8/site-packages/stable_baselines3/common/base_class.py", line 687, in load
    model._setup_model()
  File "/env/lib/python3.8/site-packages/stable_baselines3/common/utils.py", line 88, in get_schedule_fn
    assert callable(value_schedule)
AssertionError
```

Message (cloudpickle 3 reads what an older one wrote; `_make_function`):

```text
AttributeError: Can't get attribute '_make_function' on <module 'cloudpickle.cloudpickle' from '/env/lib/python3.8/site-packages/cloudpickle/cloudpickle.py'>
```

Message (Python 3.11 reads a function of 3.10; `Python 3.10 or older`):

```text
  File "/env/lib/python3.11/site-packages/torch/serialization.py", line 1495, in _legacy_load
    result = unpickler.load()
TypeError: code() argument 13 must be str, not int
```

Message (Python 3.7 to 3.10 read a function of a newer one; `newer Python`):

```text
  File "/env/lib/python3.10/site-packages/ray/cloudpickle/cloudpickle.py", line 679, in loads
    return pickle.loads(data)
TypeError: code() takes at most 16 arguments (18 given)
```

Message (NumPy 1 reads a file of NumPy 2; `numpy._core`):

```text
  File "/env/lib/python3.9/site-packages/torch/serialization.py", line 1415, in find_class
    return super().find_class(mod_name, name)
ModuleNotFoundError: No module named 'numpy._core'
```

Message (a state of random numbers, older NumPy; `a newer NumPy`):

```text
  File "/env/lib/python3.9/site-packages/torch/serialization.py", line 1431, in _load
    result = unpickler.load()
ValueError: <class 'numpy.random._mt19937.MT19937'> is not a known BitGenerator module.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="stable_baselines3")

OF_A_FUNCTION = (
    r"\bcode\(\) (?:argument 13 must be str, not int|takes at most 1[56] arguments \(1[68] given\))"
)
OF_A_GENERATOR = r"\b__(?:generator|randomstate|bit_generator)_ctor\(\) takes from 0 to 1 positional|is not a known BitGenerator module"
READERS = ("torch", "cloudpickle", "stable_baselines3")
AGAIN = {
    "_schedule": "lambda _: 0.0",
    "clip_range": "lambda _: 0.2",
    "learning_rate": "3e-4",
    "observation_space": "env.observation_space",
    "action_space": "env.action_space",
}
"""What a file of Stable-Baselines3 may lack -> what is given in its place."""


@pitfall.explains(
    r"Could not deserialize object (?P<name>\w{1,60})\. Consider using `custom_objects` argument",
    odds=0.9,
)
def left_out_of_an_agent(failure: Failure) -> Hits:
    name = failure.groups["name"]
    value = next((given for part, given in AGAIN.items() if name.endswith(part)), "...")
    yield failure.hit(
        f"`{name}` was pickled by another Python or NumPy: load under theirs, or custom_objects={{'{name}': {value}}}"
    )


@pitfall.explains(
    r"observation_space and action_space were not given, can't verify new environments",
    r"(?P<schedule>assert callable\(value_schedule\))",
    odds=0.93,
)
def needed_after_all(failure: Failure) -> Hits:
    what = "the spaces in the file were pickled by another Python, NumPy or gym and left out: custom_objects=dict(observation_space=env.observation_space, action_space=...)"
    if failure.groups.get("schedule"):
        what = "a schedule in the file was pickled by another Python: custom_objects={'lr_schedule': lambda _: 0.0, 'clip_range': lambda _: 0.2}"
    yield failure.hit(f"{what}, or load under theirs")


def _is_read_for_torch(failure: Failure) -> bool:
    """Stable-Baselines3 tells below its warning what was raised, as a plain Exception."""
    return failure.kind == "Exception" or any(map(failure.shows, READERS))


@pitfall.explains(OF_A_FUNCTION, odds=0.95)
def function_of_another_python(failure: Failure) -> Hits:
    by = "Python 3.10 or older, and this one is newer"
    if "takes at most" in failure.message:
        by = "a newer Python than this one"
    if _is_read_for_torch(failure):
        yield failure.hit(
            f"a function in the file was pickled by {by}: load it under that, or save weights alone"
        )


@pitfall.explains(
    OF_A_GENERATOR, r"No module named '(?P<core>numpy\._core)(?:\.\w{1,40})?'", odds=0.97
)
def array_of_another_numpy(failure: Failure) -> Hits:
    what = "names numpy._core, as NumPy 2 writes it" if failure.groups.get("core") else ""
    what = what or "holds a random generator as a newer NumPy writes it"
    if _is_read_for_torch(failure):
        yield failure.hit(
            f"the file {what}, and this NumPy is older: pip install -U numpy, or write the file anew under this one"
        )


@pitfall.explains(r"Can't get attribute '(?P<name>_\w{3,40})' on <module 'cloudpickle", odds=0.97)
def function_of_another_cloudpickle(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is of another cloudpickle than the one that is installed: its version of then, or a newer one where the file is newer"
    )
