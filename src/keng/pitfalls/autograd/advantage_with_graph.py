r"""The loss of the policy teaches the critic as well.

The advantage, what an action gave beyond what the critic expected, weighs the log-probability of the action. It is a number for
the policy: where it keeps its graph, the loss of the policy goes back into the critic too, and asks of it to expect less for
actions that were likely, whatever they gave. The sum with the critic's own loss then learns values that are none.

Cure: `advantage.detach()` in the loss of the policy, or take the value under `no_grad`. The critic's loss keeps the graph.

Source: Mnih and others, 2016, Asynchronous Methods for Deep Reinforcement Learning (the policy gradient takes the advantage as given).

Bad:

```python
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
states, returns = torch.randn(16, 4), torch.randn(16)
policy = Categorical(logits=actor(states))
values = critic(states).squeeze(-1)
advantage = returns - values
policy_loss = -(policy.log_prob(policy.sample()) * advantage).mean()  # here: the critic hears of it
value_loss = (returns - values).pow(2).mean()
loss = policy_loss + 0.5 * value_loss
```

Proof:

```python
(gradient,) = torch.autograd.grad(policy_loss, critic.weight)
assert gradient.abs().sum() > 0
```

Bad (with one step, scaled, the critic's loss by the advantage itself):

```python
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
body, mean, value_head = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
obs, reward, next_obs = torch.randn(16, 4), torch.randn(16, 1), torch.randn(16, 4)
features = body(obs)
dist = Normal(mean(features), 1.0)
log_probs = dist.log_prob(dist.sample())
with torch.no_grad():
    target = reward + 0.99 * value_head(body(next_obs))
value = value_head(features)
delta = target - value
critic_loss = delta.square().mean()
advantage = (delta - delta.mean()) / (delta.std() + 1e-8)
actor_loss = -(log_probs * advantage).mean()  # here: as well
total = actor_loss + critic_loss
```

Proof:

```python
(gradient,) = torch.autograd.grad(actor_loss, value_head.weight)
assert gradient.abs().sum() > 0
```

Good:

```python
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
states, returns = torch.randn(16, 4), torch.randn(16)
policy = Categorical(logits=actor(states))
values = critic(states).squeeze(-1)
advantage = returns - values
policy_loss = -(policy.log_prob(policy.sample()) * advantage.detach()).mean()
value_loss = (returns - values).pow(2).mean()
loss = policy_loss + 0.5 * value_loss
```

Fine (cut at the value; taken under no_grad; soft actor-critic; two backwards, the critic cleared between them):

```python
import torch
from torch import nn
from torch.distributions import Normal
from torch.nn import functional as F

torch.manual_seed(0)
actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
states, returns = torch.randn(16, 4), torch.randn(16, 1)
dist = Normal(actor(states), 1.0)
action = dist.rsample()
log_prob = dist.log_prob(action.detach())
value = critic(states)
advantage = returns - value.detach()
loss = -(log_prob * advantage).mean() + F.mse_loss(value, returns)
with torch.no_grad():
    baseline = critic(states)
policy_loss = -(log_prob * (returns - baseline)).mean()
value_loss = F.mse_loss(critic(states), returns)
loss = loss + policy_loss + value_loss
alpha = torch.tensor(0.2)
entropy_loss = (alpha * dist.log_prob(action) - critic(states)).mean()
loss = loss + entropy_loss
critic_step = torch.optim.SGD(critic.parameters(), lr=0.1)
gain = returns - value
first = -(log_prob * gain).mean()
first.backward(retain_graph=True)
critic_step.zero_grad()
second = (returns - value).pow(2).mean()
second.backward(retain_graph=True)
critic_step.step()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def critic_hears_the_policy(code: Code) -> Hits:
    for advantage, value in code.advantages_with_graph():
        text = code.text_of(advantage)
        says = f"`{text}` keeps the graph of `{value}`, and so the policy's loss changes the critic: `.detach()`"
        fix = Fix("Take the advantage as given", (code.append(advantage, ".detach()"),))
        yield code.hit(advantage, says, fix)
