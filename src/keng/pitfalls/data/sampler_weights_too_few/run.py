"""A running program: a WeightedRandomSampler has a weight for each class, and not for each sample."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import FewWeights


@watches("sampler.weights")
def samples_without_a_weight(seen: FewWeights) -> Hits:
    says = f"the sampler has {seen.weights} weights and the dataset {seen.length} samples"
    drawn = f"only the first {seen.weights} are ever drawn"
    if seen.weights > seen.length:
        drawn = f"it draws indices up to {seen.weights - 1}, which the dataset lacks"
    yield seen.hit(f"{says}: {drawn}", weights=seen.weights)
