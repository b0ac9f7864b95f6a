"""What a run leaves behind: curves, TensorBoard scalars."""
