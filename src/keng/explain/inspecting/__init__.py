"""What a live exception shows: operands, modules, graphs, optimizers. Never the values of tensors."""
