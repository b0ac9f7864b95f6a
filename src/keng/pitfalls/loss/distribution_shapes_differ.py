r"""The shapes of a distribution and of a value, or of its parts, do not fit.

A distribution has a batch shape, one entry for each set of parameters, and an event shape, what one sample is made of. `log_prob` takes values whose
last dimensions are the event and whose others broadcast with the batch: actions of shape (N,) for scores of (N, classes), a vector of
the right length for `MultivariateNormal`. `Independent` turns batch dimensions into event dimensions, as many as there are.

Cure: print `d.batch_shape` and `d.event_shape`; `value.squeeze(-1)` for a column of actions; `Independent(d, 1)`.

Bad (actions of another batch):

```python
import torch

policy = torch.distributions.Categorical(torch.ones(2, 3))
score = policy.log_prob(torch.tensor([1, 2, 0]))  # seen: `[3]`
```

Bad (a vector of another length):

```python
import torch

noise = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
score = noise.log_prob(torch.ones(3))  # seen: `event_shape`
```

Bad (more dimensions than there are):

```python
import torch
from torch.distributions import Independent, Normal

noise = Independent(Normal(torch.zeros(2), 1.0), 2)  # seen: `1 batch`
```

Bad (a mixture of another number of parts):

```python
import torch
from torch.distributions import Categorical, MixtureSameFamily, Normal

parts = Normal(torch.zeros(2), 1.0)
mixture = MixtureSameFamily(Categorical(torch.ones(3)), parts)  # seen: `3 weights`
```

Good:

```python
import torch
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal

score = Categorical(torch.ones(3, 2)).log_prob(torch.tensor([1, 1, 0]))
noise = Independent(Normal(torch.zeros(2), 1.0), 1)
mixture = MixtureSameFamily(Categorical(torch.ones(2)), Normal(torch.zeros(2), 1.0))
```

Message (torch 1.0 to 2.13; `Independent`):

```text
NotImplementedError: No KL(p || q) is implemented for p type Normal and q type Independent
```

Message (torch 2.13; `one size`):

```text
ValueError: KL-divergence between two Multivariate Normals with                          different event shapes cannot be computed
```

Message (torch 2.13; `Categorical`):

```text
ValueError:  The Mixture distribution needs to be an  instance of torch.distributions.Categorical
```

Message (torch 2.13; `expand`):

```text
NotImplementedError: Subclass Blend of Normal that defines a custom __init__ method must also define a custom .expand() method.
```

Message (torch 2.13; `Bernoulli`):

```text
ValueError: `probs` parameter must be at least one-dimensional.
```

Message (torch 2.13; `torch.diag_embed(variances)`):

```text
ValueError: covariance_matrix must be at least two-dimensional, with optional leading batch dimensions
```

Message (torch 2.13; `single numbers`):

```text
ValueError: base_distribution needs to have shape with size at least 1, but got torch.Size([]).
```

Message (torch 2.13; `one dimension more`):

```text
ValueError: `mixture_distribution.batch_shape` (torch.Size([2])) is not compatible with `component_distribution.batch_shape`(torch.Size([4]))
```

Message (torch 2.13; `sample((3,))`):

```text
  File "train.py", line 4, in <module>
    noise = Normal(torch.zeros(2), 1.0).sample(3)
  File "/env/lib/python3.11/site-packages/torch/distributions/normal.py", line 73, in sample
    shape = self._extended_shape(sample_shape)
  File "/env/lib/python3.11/site-packages/torch/distributions/distribution.py", line 269, in _extended_shape
    sample_shape = torch.Size(sample_shape)
TypeError: 'int' object is not iterable
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Value is not broadcastable with batch_shape\+event_shape: torch\.Size\((?P<value>\[[\d, ]*\])\) vs torch\.Size\((?P<wants>\[[\d, ]*\])\)",
    odds=0.97,
)
def value_of_another_batch(failure: Failure) -> Hits:
    value, wants = failure.groups["value"], failure.groups["wants"]
    yield failure.hit(
        f"the value is {value} and the distribution {wants}: one value for each set of parameters"
    )


@pitfall.explains(
    r"The right-most size of value must match event_shape: torch\.Size\((?P<value>\[[\d, ]*\])\) vs torch\.Size\((?P<wants>\[[\d, ]*\])\)",
    odds=0.97,
)
def value_of_another_length(failure: Failure) -> Hits:
    value, wants = failure.groups["value"], failure.groups["wants"]
    yield failure.hit(
        f"the value is {value}, and its last dimensions are to be the event_shape {wants}"
    )


@pitfall.explains(
    r"Expected reinterpreted_batch_ndims <= len\(base_distribution\.batch_shape\), actual (?P<came>\d+) vs (?P<has>\d+)",
    odds=0.97,
)
def more_than_there_are(failure: Failure) -> Hits:
    came, has = failure.groups["came"], failure.groups["has"]
    yield failure.hit(f"there are {has} batch dimensions, and {came} are to become the event's")


@pitfall.explains(
    r"`mixture_distribution component` \((?P<weights>\d+)\) does not equal `component_distribution\.batch_shape\[-1\]` \((?P<parts>\d+)\)",
    odds=0.97,
)
def mixture_of_others(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['weights']} weights mix {failure.groups['parts']} parts: one weight for each, in the last dimension of both"
    )


@pitfall.explains(
    r"No KL\(p \|\| q\) is implemented for p type (?P<p>\w{1,60}) and q type (?P<q>\w{1,60})",
    odds=0.95,
)
def without_a_formula(failure: Failure) -> Hits:
    p, q = failure.groups["p"], failure.groups["q"]
    yield failure.hit(
        f"kl_divergence has no formula for {p} and {q}: both wrapped in Independent or neither, or the mean of log p - log q "
        "over samples of p"
    )


pitfall.answers(
    {
        "event shapes cannot be computed": "the two distributions are over vectors of other lengths: one size for both",
        "instance of torch.distributions.Categorical": "a mixture takes the weights first, as a Categorical, and then the components",
        "must also define a custom .expand() method": "a distribution of one's own with an __init__ says how it grows: expand(batch_shape), as Independent calls it",
        "`mixture_distribution.batch_shape` (": "the weights and the components of a mixture are of other batches: the components have the batch of the weights, and one dimension more, for the parts",
        "The Component distribution needs to be an instance": "the components of a mixture are one distribution with a dimension for the parts: Normal(means, 1.0)",
        "base_distribution needs to have shape with size at least": "the transform works on whole vectors, and the distribution is of single numbers: parameters of shape (n,)",
        "parameter must be at least one-dimensional": "the last dimension is what is chosen among, and there is none: scores of all classes, (N, classes); Bernoulli for one probability",
        "loc must be at least one-dimensional": "the mean of a multivariate normal is a vector: (n,), or (N, n) for a batch; Normal for single numbers",
        "must be at least two-dimensional, with optional leading batch": "variances are given where a matrix is wanted: torch.diag_embed(variances), or Independent(Normal(mean, std), 1)",
        "cov_factor must be a batch of matrices with shape": "cov_factor is (n, rank) and cov_diag (n,), for a mean of n numbers",
        "cov_diag must be a batch of vectors with shape": "cov_factor is (n, rank) and cov_diag (n,), for a mean of n numbers",
    },
    odds=0.94,
)


@pitfall.explains(r"'int' object is not iterable", odds=0.96)
def shape_of_samples(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/distributions/distribution.py"):
        yield failure.hit("the shape of the samples is a tuple, of one number too: sample((3,))")
