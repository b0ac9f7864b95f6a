from . import datasets, losses, models  # noqa: F401  (they register themselves)
