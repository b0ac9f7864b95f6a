"""keng inside other programs: pytest, IPython, Python's excepthook, Lightning, Accelerate, Transformers."""
