"""What the code of a report makes of its names: tensors with shape, dtype and device. Nothing runs."""
