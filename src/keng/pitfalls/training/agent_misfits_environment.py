r"""An agent of reinforcement learning and its environment do not fit each other.

Each algorithm of Stable-Baselines3 has its kinds of actions: DQN takes numbered ones, SAC, TD3 and DDPG continuous ones, PPO and A2C both. A policy is for one
form of observations: `MlpPolicy` for vectors, `CnnPolicy` for images of bytes, `MultiInputPolicy` for a dict. A model that is loaded wants the spaces that it was trained
with, bounds included. Gymnasium's `reset` gives (observation, info), that of Stable-Baselines3's own vectorized environments the observation alone, and OpenAI's Gym is another package.
Environments compute with numbers and arrays of NumPy: an action that a network gives is a tensor, and goes in as a number. A continuous action is an array of
`env.action_space.shape`, of one number too.

Cure: `env.step(action.item())`; print `env.action_space` and `env.observation_space`; `check_env(env)` before training; `obs, info = env.reset()`, or `vec_env = model.get_env()`; `import
gymnasium as gym`.

Bad:

```python
import gymnasium as gym
from stable_baselines3 import DQN

model = DQN("MlpPolicy", gym.make("Pendulum-v1"))
```

Good:

```python
import gymnasium as gym
from stable_baselines3 import SAC

model = SAC("MlpPolicy", gym.make("Pendulum-v1"))
```

Message (Stable-Baselines3 2; `Box(-2.0, 2.0, (1,), float32)`):

```text
AssertionError: The algorithm only supports (<class 'gymnasium.spaces.discrete.Discrete'>,) as action spaces but Box(-2.0, 2.0, (1,), float32) was provided
```

Message (Gym and Gymnasium, of their CartPole; `action.item()`):

```text
  File "/home/u/dqn.py", line 11, in <module>
    _, reward, done, _ = env.step(action[0, 0])
  File "/env/lib/python3.7/site-packages/gym/envs/classic_control/cartpole.py", line 92, in step
    assert self.action_space.contains(action), "%r (%s) invalid"%(action, type(action))
AssertionError: tensor(0) (<class 'torch.Tensor'>) invalid
```

Message (Gymnasium, without its traceback; `action.item()`):

```text
AssertionError: tensor([1], device='cuda:0') (<class 'torch.Tensor'>) invalid
```

Message (Gym, of its Pendulum; `env.action_space.shape`):

```text
  File "/home/u/ppo.py", line 175, in main
    state, reward, done, info = env.step(action)
  File "/env/lib/python3.8/site-packages/gym/envs/classic_control/pendulum.py", line 49, in step
    u = np.clip(u, -self.max_torque, self.max_torque)[0]
IndexError: invalid index to scalar variable.
```

Message (Gymnasium, of its MountainCarContinuous; `env.action_space.shape`):

```text
  File "/home/u/ddpg.py", line 80, in main
    state, reward, terminated, truncated, info = env.step(float(action))
  File "/env/lib/python3.11/site-packages/gymnasium/envs/classic_control/continuous_mountain_car.py", line 148, in step
    force = min(max(action[0], self.min_action), self.max_action)
TypeError: 'float' object is not subscriptable
```

Message (Gymnasium, an array for a number; `action.item()`):

```text
  File "/env/lib/python3.11/site-packages/gymnasium/envs/classic_control/cartpole.py", line 163, in step
    assert self.action_space.contains(action), f"{action!r} ({type(action)}) invalid"
AssertionError: array([1]) (<class 'numpy.ndarray'>) invalid
```

Message (Stable-Baselines3 2; `(4,)`):

```text
ValueError: Error: Unexpected observation shape (3,) for Box environment, please use (4,) or (n_env, 4) for the observation shape.
```

Message (Stable-Baselines3 2; `Box(-inf, inf, (3,), float32)`):

```text
ValueError: Observation spaces do not match: Box(-inf, inf, (4,), float32) != Box(-inf, inf, (3,), float32)
```

Message (Stable-Baselines3 2; `MultiInputPolicy`):

```text
ValueError: You must use `MultiInputPolicy` when working with dict observation space, not MlpPolicy
```

Message (Stable-Baselines3 2; `MlpPolicy`):

```text
AssertionError: You should use NatureCNN only with images not with Box(-1.0, 1.0, (3,), float32)
(you are probably using `CnnPolicy` instead of `MlpPolicy` or `MultiInputPolicy`)
```

Message (Stable-Baselines3 2; `obs, info = env.reset()`):

```text
ValueError: You have passed a tuple to the predict() function instead of a Numpy array or a Dict. You are probably mixing Gym API with SB3 VecEnv API: `obs, info = env.reset()` (Gym) vs `obs = vec_env.reset()` (SB3 VecEnv).
```

Message (Stable-Baselines3 2; `gymnasium`):

```text
ValueError: The environment is of type <class 'snake.SnakeEnv'>, not a Gymnasium environment. In this case, we expect OpenAI Gym to be installed and the environment to be an OpenAI Gym environment.
```

Message (Stable-Baselines3 2; `gymnasium`):

```text
ImportError: Missing shimmy installation. You provided an OpenAI Gym environment. Stable-Baselines3 (SB3) has transitioned to using Gymnasium internally. In order to use OpenAI Gym environments with SB3, you need to install shimmy (`pip install 'shimmy>=2.0'`).
```

Message (Stable-Baselines3 2; `84.71 GB`):

```text
UserWarning: This system does not have apparently enough memory to store the complete replay buffer 84.71GB > 12.35GB
```

Message (Stable-Baselines3 2; `100`):

```text
UserWarning: You have specified a mini-batch size of 64, but because the `RolloutBuffer` is of size `n_steps * n_envs = 100`, after every 1 untruncated mini-batches, there will be a truncated mini-batch of size 36
```

Message (Stable-Baselines3 2; `device='cpu'`):

```text
UserWarning: You are trying to run PPO on the GPU, but it is primarily intended to run on the CPU when not using a CNN policy (you are using ActorCriticPolicy which should be a MlpPolicy).
```

Message (Stable-Baselines3 2; `Monitor(env)`):

```text
UserWarning: Evaluation environment is not wrapped with a ``Monitor`` wrapper. This may result in reporting modified episode lengths and rewards, if other wrappers happen to modify these.
```
"""

from keng.explain.advice import actions
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import stable_baselines3")


@pitfall.explains(
    r"The algorithm only supports \(?<class '[\w.]{1,80}\.(?P<kind>\w{1,40})'>.{0,300}? as action spaces but (?P<came>\w{1,40}\(.{1,200}?\)) was provided",
    odds=0.97,
)
def other_actions(failure: Failure) -> Hits:
    came, kind = failure.groups["came"], failure.groups["kind"]
    cure = "SAC, TD3, PPO or A2C" if came.startswith("Box") else "DQN for one number, PPO or A2C"
    yield failure.hit(
        f"the environment's actions are {came}, and this algorithm takes {kind}: {cure}"
    )


@pitfall.explains(
    r"Unexpected observation shape (?P<came>\([\d, ]*\)) for (?:Box|Discrete|MultiDiscrete|MultiBinary) environment, please use (?P<wanted>\([\d, ]*\))",
    odds=0.97,
)
def other_observation(failure: Failure) -> Hits:
    came, wanted = failure.groups["came"], failure.groups["wanted"]
    yield failure.hit(
        f"the observation is of shape {came}, and observation_space says {wanted}: what reset and step give has that shape always"
    )


@pitfall.explains(
    r"(?P<what>Observation|Action) spaces do not match: (?P<trained>[A-Z]\w{2,30}\(.{0,300}?\)) != (?P<given>[A-Z]\w{2,30}\(.{0,300}\))",
    odds=0.97,
)
def trained_with_another(failure: Failure) -> Hits:
    what, trained, given = (failure.groups[key] for key in ("what", "trained", "given"))
    yield failure.hit(
        f"the model was trained with {trained}, and this environment has {given} as {what.lower()} space: the same wrappers, bounds and dtype"
    )


@pitfall.explains(
    r"You (?:should|must) use NatureCNN only with images not with (?P<came>[A-Z]\w{2,30}\([^\n]{0,160}?\))(?=\s|$)",
    odds=0.97,
)
def no_image(failure: Failure) -> Hits:
    yield failure.hit(
        f"CnnPolicy takes images of bytes, Box(0, 255, (H, W, C), uint8), and the observations are {failure.groups['came']}: MlpPolicy, or MultiInputPolicy for a dict"
    )


@pitfall.explains(
    r"enough memory to store the complete replay buffer (?P<wants>[\d.]{1,9})GB > (?P<has>[\d.]{1,9})GB",
    odds=0.95,
)
def buffer_too_large(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(
        f"the replay buffer will be {wants} GB when it is full, and {has} GB are free: a smaller buffer_size, observations of uint8, or optimize_memory_usage=True"
    )


@pitfall.explains(
    r"mini-batch size of (?P<batch>\d+), but because the `RolloutBuffer` is of size `n_steps \* n_envs = (?P<steps>\d+)`",
    odds=0.95,
)
def no_multiple(failure: Failure) -> Hits:
    batch, steps = failure.groups["batch"], failure.groups["steps"]
    yield failure.hit(
        f"{steps} steps are gathered, no multiple of batch_size={batch}, and the last batch of each round is smaller: right, and even with a batch_size that divides {steps}"
    )


@pitfall.explains(actions.OTHER_FORM, odds=0.95)
def action_of_another_form(failure: Failure) -> Hits:
    if actions.steps_an_environment(failure):
        yield failure.hit(actions.OF_AN_ARRAY if failure.groups["array"] else actions.OF_A_NUMBER)


GYM = "the environment is of OpenAI's gym or of no gym: import gymnasium as gym, class Env(gym.Env), gym.make of gymnasium; pip install shimmy for one that cannot be changed"
FITS = {
    "(<class 'torch.Tensor'>) invalid": "env.step gets a tensor, and the environment takes numbers or arrays: action.item() of one, action.detach().cpu().numpy() of several",
    "`MultiInputPolicy` when working with dict": "the observations are a dict: MultiInputPolicy",
    "passed a tuple to the predict() function": "predict is given what reset gives as a whole: obs, info = env.reset() of Gymnasium, and obs alone to predict",
    "not a Gymnasium environment. In this case": GYM,
    "You provided an OpenAI Gym environment": GYM,
    "primarily intended to run on the CPU when": "a small network gains nothing from a card: right, and device='cpu' is as a rule faster",
    "environment is not wrapped with a ``Monitor``": "lengths and rewards are counted after all wrappers: Monitor(env) as the innermost, where they change them",
}
pitfall.answers(FITS, odds=0.95)
