INERT: frozenset[str] = frozenset()
ACTING: frozenset[str] = frozenset()
ACTING_MODULES: frozenset[str] = frozenset()
