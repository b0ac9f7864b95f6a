"""One step of training twice: as the program runs it, and another way (`keng run --compare`)."""

from keng.run.comparison.results import Asked, Comparison, Difference, Way

__all__ = ["Asked", "Comparison", "Difference", "Way"]
