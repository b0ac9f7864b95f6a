"""The files of a project: which are read, which reach torch, what imports what."""
