r"""A distribution is asked for what it cannot compute.

Each distribution of PyTorch has the formulas that its authors wrote; the others raise NotImplementedError, most without a word. `rsample` exists where a draw has a
derivative by the parameters, so not for Categorical or Bernoulli. What passed through a transform, as an action through tanh, can be drawn and has `log_prob`,
and no entropy, mean, variance or mode in closed form, as a mixture has none.

Cure: `sample()` and a loss of `log_prob`, or `RelaxedOneHotCategorical`; the entropy as the mean of `-d.log_prob(x)` over samples of `rsample`; the mean of samples.

Bad (a draw without derivative):

```python
import torch

policy = torch.distributions.Categorical(logits=torch.zeros(3))
action = policy.rsample()  # seen: `RelaxedOneHotCategorical`
```

Bad (the entropy of what was transformed):

```python
import torch
from torch.distributions import Normal, TanhTransform, TransformedDistribution

squashed = TransformedDistribution(Normal(torch.zeros(2), 1.0), [TanhTransform()])
bonus = squashed.entropy()  # seen: `entropy`
```

Good:

```python
import torch
from torch.distributions import Categorical, Normal, TanhTransform, TransformedDistribution

policy = Categorical(logits=torch.zeros(3))
action = policy.sample()
squashed = TransformedDistribution(Normal(torch.zeros(2), 1.0), [TanhTransform()])
bonus = -squashed.log_prob(squashed.rsample((64,))).mean(0)
```

Message (torch 2.13; `icdf`):

```text
  File "train.py", line 9, in <module>
    bound = Gamma(shape, rate).icdf(level)
  File "/env/lib/python3.11/site-packages/torch/distributions/distribution.py", line 222, in icdf
    raise NotImplementedError
NotImplementedError
```

Message (torch 1.8 to 2.13; `mean`):

```text
  File "agent.py", line 31, in act
    return policy.mean
  File "/env/lib/python3.8/site-packages/torch/distributions/distribution.py", line 124, in mean
    raise NotImplementedError
NotImplementedError
```

Message (torch 2.13; `mode`):

```text
NotImplementedError: <class 'torch.distributions.transformed_distribution.TransformedDistribution'> does not implement mode
```

Message (torch 2.13; `each by itself`):

```text
NotImplementedError: inhomogeneous total_count is not supported
```

Message (torch 2.13; `total_count`):

```text
NotImplementedError: KL between Binomials where q.total_count > p.total_count is not implemented
```

Message (torch 2.13, of a family; `entropy`):

```text
  File "train.py", line 4, in <module>
    bonus = Poisson(rate).entropy()
  File "/env/lib/python3.11/site-packages/torch/distributions/exp_family.py", line 62, in entropy
    result = -self._mean_carrier_measure
  File "/env/lib/python3.11/site-packages/torch/distributions/exp_family.py", line 53, in _mean_carrier_measure
    raise NotImplementedError
NotImplementedError
```

Message (torch 2.13; `arg_constraints`):

```text
UserWarning: <class '__main__.Blend'> does not define `arg_constraints`. Please set `arg_constraints = {}` or initialize the distribution with `validate_args=False` to turn off validation.
```

Message (torch 2.13; `StickBreakingTransform`):

```text
  File "train.py", line 9, in <module>
    loss = -shares.log_prob(target).mean()
  File "/env/lib/python3.11/site-packages/torch/distributions/transformed_distribution.py", line 186, in log_prob
    transform.log_abs_det_jacobian(x, y),
  File "/env/lib/python3.11/site-packages/torch/distributions/transforms.py", line 202, in log_abs_det_jacobian
    raise NotImplementedError
NotImplementedError
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

BY_SAMPLES = "{name}: no formula for this distribution, as behind a transform: a mean over samples"
CURES = {
    "rsample": "rsample: a draw without derivative, as discrete ones are: sample() and a loss of log_prob, or RelaxedOneHotCategorical",
    "entropy": "entropy: no formula for this distribution, as behind a transform: the mean of -d.log_prob(x) over samples",
    "cdf": "cdf: no formula for this distribution: the share of samples below the value",
    "icdf": "icdf: no formula for this distribution: torch.quantile of samples",
    "enumerate_support": "enumerate_support: only what has few values can be listed, as Categorical and Bernoulli",
    "log_prob": "log_prob: this distribution has none; one's own defines it",
}
NO_DENSITY = "log_prob: a transform that cannot be undone, as abs or softmax, leaves no density: TanhTransform, or StickBreakingTransform for shares"
ESTIMATED = ("mean", "variance", "stddev")


@pitfall.explains(r"\bNotImplementedError:? ?$", odds=0.95)
def without_a_word(failure: Failure) -> Hits:
    asked = next((f for f in failure.frames if "/torch/distributions/" in f.posix), None)
    if asked is None or "/torch/distributions/" not in failure.raised_in:
        return
    if failure.raised_in.endswith("/transforms.py"):
        yield failure.hit(NO_DENSITY)
    elif asked.function in CURES:
        yield failure.hit(CURES[asked.function])
    elif asked.function in ESTIMATED:
        yield failure.hit(BY_SAMPLES.format(name=asked.function))


@pitfall.explains(
    r"\b(?:[dD]istribution|torch\.distributions)\S{0,120} does not implement mode\b",
    odds=0.95,
)
def without_a_mode(failure: Failure) -> Hits:
    yield failure.hit(
        "mode: no formula for this distribution, as behind a transform: an action without noise is the base's mean, transformed"
    )


pitfall.answers(
    {
        "inhomogeneous total_count is not supported": "Multinomial has one number of draws, an int, for the whole batch: one distribution for each number, each by itself",
        "Inhomogeneous total count not supported": "the entropy or the support of a Binomial wants one total_count for the whole batch",
        "KL between Binomials where q.total_count": "kl_divergence of two Binomials wants a total_count of the second no greater than the first's",
        "Enumeration over cartesian product is not implemented": "what Independent holds cannot be listed: enumerate_support() of its base, as base_dist",
        "does not define `support` to enable sample validation": "a distribution of one's own says which values it can give: support = constraints.real; or validate_args=False",
        "does not define `arg_constraints`": "a distribution of one's own says what its parameters may be: arg_constraints = {}; or validate_args=False",
    },
    odds=0.95,
)
