r"""A distribution is asked about a value that it cannot give, or is made of too much or too little.

`log_prob` takes values that the distribution can have: class numbers below the number of classes, numbers between 0 and 1 for `Beta`, nothing below 0 for
`Gamma`. An action that was padded with -1, or clipped to another range after sampling, lies outside; one that was rounded to exactly 0 or 1 stands at
the edge of `Beta`, where the logarithm is infinite. `probs` and `logits` are two ways to say one thing, as are the three matrices of `MultivariateNormal`.

Cure: print the least and the greatest value; clamp to the inside, `x.clamp(1e-6, 1 - 1e-6)`; give one of the parameters that exclude each other, by name.

Bad (a class that there is not):

```python
import torch

policy = torch.distributions.Categorical(logits=torch.zeros(2))
score = policy.log_prob(torch.tensor(2))  # seen: `Categorical`
```

Bad (nothing said):

```python
import torch

policy = torch.distributions.Categorical()  # seen: `probs or logits`
```

Good:

```python
import torch

policy = torch.distributions.Categorical(logits=torch.zeros(2))
score = policy.log_prob(torch.tensor(1))
```

Message (torch 2.13, of a policy that has diverged; `it is NaN`):

```text
ValueError: Expected value argument (Tensor of shape (1, 6)) to be within the support (IndependentConstraint(Real(), 1)) of the distribution MultivariateNormal(loc: torch.Size([1, 6]), covariance_matrix: torch.Size([1, 6, 6])), but found invalid values:
tensor([[nan, nan, nan, nan, nan, nan]])
```

Message (torch 2.13; `clamp it`):

```text
ValueError: Expected value argument (Tensor of shape (2,)) to be within the support (Interval(lower_bound=0.0, upper_bound=1.0)) of the distribution Beta(), but found invalid values:
tensor([1.2, 0.5])
```

Message (torch 2.13; `covariance_matrix`):

```text
ValueError: Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.
```

Message (torch before 1.8):

```text
ValueError: The value argument must be within the support
```

Message (torch 1.0 to 2.13; `non-negative`):

```text
RuntimeError: invalid Poisson rate, expected rate to be non-negative
```

Message (torch 0.4 to 1.12; `low < high`):

```text
ValueError: Uniform is not defined when low>= high
```

Message (torch 2.13):

```text
NotImplementedError: The cross KL-divergence between different exponential families cannot                             be computed using Bregman divergences
```

Message (torch 2.13; `torch.as_tensor(x)`):

```text
ValueError: Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.
```

Message (torch 2.13; `torch.tensor(3)`):

```text
ValueError: The value argument to log_prob must be a Tensor
```

Message (torch 2.13; `TanhTransform()`):

```text
ValueError: transforms must be a Transform or a list of Transforms
```
"""

from keng.explain.advice.losses import beyond_support
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Expected value argument \(.{1,120}\) to be within the support \((?P<support>.{1,120})\) of the distribution "
    r"(?P<kind>\w+)\(",
    odds=0.95,
)
def outside(failure: Failure) -> Hits:
    kind, support = failure.groups["kind"], failure.groups["support"]
    yield failure.hit(beyond_support(kind, support))


@pitfall.explains(
    r"Either `(?P<one>\w+)` or `(?P<two>\w+)` must be specified, but not both",
    r"Exactly one of (?P<one>covariance_matrix) or (?P<two>precision_matrix) or scale_tril may be specified",
    odds=0.95,
)
def said_twice_or_not(failure: Failure) -> Hits:
    one, two = failure.groups["one"], failure.groups["two"]
    yield failure.hit(f"{one} or {two}: one of them is given, and not both")


@pitfall.explains(r"The value argument must be within the support", odds=0.95)
def outside_in_old_words(failure: Failure) -> Hits:
    yield failure.hit("a value lies outside of what the distribution can give")


CURES = {
    "invalid Poisson rate": "a Poisson rate is non-negative: exp() or softplus() of what a layer gives",
    "Uniform is not defined when low": "a uniform distribution wants low < high in every entry, and no NaN",
    "cross KL-divergence between different exponential families": "there is no formula for these two: the mean of p.log_prob(x) - q.log_prob(x) over samples x of p",
    "Input arguments must all be instances of Number, torch.Tensor": "a parameter is a list, an array, a text or None: torch.as_tensor(x)",
    "The value argument to log_prob must be a Tensor": "log_prob takes a tensor, for one number too: torch.tensor(3)",
    "expected to be greater than ndim - 1": "df of a Wishart is greater than the size of its matrix minus one",
    "transforms must be a Transform": "what transforms a distribution is a Transform, as TanhTransform() or AffineTransform(0, 2), and no function",
}
pitfall.answers(CURES, odds=0.95)
