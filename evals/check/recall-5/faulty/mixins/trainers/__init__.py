from .classify import ClassifierTrainer

__all__ = ["ClassifierTrainer"]
