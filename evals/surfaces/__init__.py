"""One module per surface: the tasks of a set, and the function that judges one task."""
