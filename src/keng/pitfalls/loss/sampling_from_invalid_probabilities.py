r"""Something is sampled from probabilities that are none.

`torch.multinomial` and the distributions take numbers that are not negative, finite, and not all zero.
What comes here is mostly NaN or infinite already: scores that overflowed in float16, a softmax of -inf
in every place, a division by a temperature of 0, weights that a diverging training has ruined.

Cure: look for the first value that is not finite, `torch.isfinite(scores).all()`; compute the softmax in
float32; leave at least one place of each row unmasked; keep the temperature above 0.

Bad:

```python
import torch

scores = torch.tensor([0.0, float("nan"), 1.0])
choice = torch.multinomial(scores.softmax(0), 1)  # seen: NaN among the scores
```

Bad (a distribution):

```python
import torch

spread = torch.tensor([0.5, float("nan")])
noise = torch.distributions.Normal(torch.zeros(2), spread)  # seen: `scale` of a Normal
```

Bad (of Bernoulli):

```python
import torch

kept = torch.bernoulli(torch.full((3,), 1.5))  # seen: 1.5 is no probability
```

Bad (a deviation below zero):

```python
import torch

noise = torch.normal(torch.zeros(3), -torch.ones(3))  # seen: -1 is no deviation
```

Good:

```python
import torch

scores = torch.tensor([0.0, 0.5, 1.0])
choice = torch.multinomial(scores.softmax(0), 1)
```

Message (torch 2.4, CUDA):

```text
../aten/src/ATen/native/cuda/TensorCompare.cu:110: _assert_async_cuda_kernel: block: [0,0,0], thread: [0,0,0] Assertion `probability tensor contains either `inf`, `nan` or element < 0` failed.
```

Message (torch 1.0 to 2.13; `a batch of one`):

```text
RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)
```

Message (torch 0.4 to 1.7; `weights that diverged`):

```text
ValueError: The parameter loc has invalid values
```

Message (torch 2.13; `softplus`):

```text
ValueError: Expected parameter scale (Tensor of shape (2,)) of distribution Normal(loc: torch.Size([2]), scale: torch.Size([2])) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values:
tensor([ 1., -1.])
```

Message (torch 2.13; `symmetric`):

```text
ValueError: Expected parameter covariance_matrix (Tensor of shape (2, 2)) of distribution MultivariateNormal(loc: torch.Size([2]), covariance_matrix: torch.Size([2, 2])) to satisfy the constraint PositiveDefinite(), but found invalid values:
tensor([[1., 2.],
        [2., 1.]])
```

Message (torch 2.13; `holds 0`):

```text
ValueError: Expected parameter probs (Tensor of shape ()) of distribution Geometric(probs: 0.0) to be positive but found invalid values:
tensor([0.])
```

Message (torch 2.13; `logits=`):

```text
ValueError: Expected parameter probs (Tensor of shape ()) of distribution Bernoulli(probs: 1.5) to satisfy the constraint Interval(lower_bound=0.0, upper_bound=1.0), but found invalid values:
1.5
```

Message (torch 1.4 to 2.13, CUDA; `all zero`):

```text
/pytorch/aten/src/ATen/native/cuda/MultinomialKernel.cu:112: binarySearchForMultinomial: block: [0,0,0], thread: [0,0,0] Assertion `cumdist[size - 1] > static_cast<scalar_t>(0)` failed.
```

Message (torch 0.3 to 1.2, CUDA; `NaN`):

```text
/pytorch/aten/src/THC/THCTensorRandom.cuh:193: void sampleMultinomialOnce(long *, long, int, T *, T *, int, int) [with T = float, AccT = float]: block: [16,0,0], thread: [0,0,0] Assertion `THCNumerics<T>::ge(val, zero)` failed.
```

Message (torch 1.0 to 1.5, CUDA; `sigmoid()`):

```text
/pytorch/aten/src/ATen/native/cuda/Distributions.cu:108: lambda: block: [0,0,0], thread: [3,0,0] Assertion `0 <= p4 && p4 <= 1` failed.
```
"""

from keng.explain.advice.fits import drawn_from, given_scores
from keng.explain.advice.losses import out_of_range
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

DIVERGED = "the weights have diverged, as by a rate too high, scores are -inf throughout, or the data or the std() of one sample are NaN"
WANTS = {
    "GreaterThan": "is 0 or below: softplus or exp of what a layer gives, and a small number added",
    "Simplex": "has rows that hold negative numbers or do not add up to 1: softmax, or logits=",
    "PositiveDefinite": "is not symmetric, or not positive definite: A @ A.mT + 1e-6 * torch.eye(n), or scale_tril=",
    "LowerCholesky": "is no lower triangle with a positive diagonal: torch.linalg.cholesky of the covariance",
    "Interval": "lies outside of its two bounds, as a probability below 0 or above 1 does: sigmoid, or logits=",
    "positive": "holds 0, with which it never ends: clamp(min=1e-6), or logits=",
    "LessThan": "is not below the other bound: the smaller one first",
}


@pitfall.explains(r"probability tensor contains either `inf`, `nan` or element < 0", odds=0.95)
def no_probabilities(failure: Failure) -> Hits:
    otherwise = "the probabilities hold NaN, infinity or a negative number: the scores before the softmax have "
    otherwise += "overflowed, as in float16, or are -inf throughout, or the weights are NaN: bfloat16, and isfinite() of the scores"
    yield failure.hit(drawn_from(failure) or otherwise)


@pitfall.explains(
    r"Expected parameter (?P<name>\w+) \(.{1,120}\) of distribution (?P<kind>\w+)\(.{0,200}\) to (?:satisfy the "
    r"constraint (?P<wants>\w+)|be positive) ?(?P<values>[^\n]{0,2000})",
    odds=0.9,
)
def no_parameter_of_a_distribution(failure: Failure) -> Hits:
    groups = failure.groups
    wants, values = groups.get("wants") or "positive", groups["values"]
    reason = f"is out of its range, NaN most often: {DIVERGED}"
    if "nan" in values:
        reason = f"holds NaN: {DIVERGED}"
    elif "..." not in values and wants in WANTS:
        reason = WANTS[wants]
    reason, fix = given_scores(failure) or (reason, None)
    yield failure.hit(f"`{groups['name']}` of a {groups['kind']} {reason}", fix)


@pitfall.explains(
    r"invalid multinomial distribution",
    r"Assertion `(?:val >= zero|sum > accZero|cumdist\[size ?- ?1\] ?> ?\S{1,40}|!\s?(?:at::_|std::|\w{1,20}::)?is(?:nan|inf)\((?:val|sum)\))",
    r"Assertion `!?\s?THCNumerics<\w{1,20}>::\w{2,5}\((?:val|sum|cumdist\[size - 1\])",
    odds=0.9,
)
def nothing_to_draw(failure: Failure) -> Hits:
    otherwise = "the probabilities that are drawn from are all zero, negative or NaN: all is masked, float16 has overflowed, or the weights are NaN"
    if "sum of probabilities" in failure.message:
        otherwise = "the probabilities are all zero, or NaN: all is masked, as the others are in a batch of one, or they have underflowed: + 1e-8; or the weights are NaN"
    yield failure.hit(drawn_from(failure) or otherwise)


@pitfall.explains(
    r"Assertion `0 <= p\d && p\d <= 1",
    r"Expected p_in >= 0 && p_in <= 1 to be true",
    r"The parameter \w+ has invalid values",
    r"normal expects (?:all elements of )?std >= 0",
    odds=0.93,
)
def outside_what_is_allowed(failure: Failure) -> Hits:
    yield failure.hit(out_of_range(failure.message))
