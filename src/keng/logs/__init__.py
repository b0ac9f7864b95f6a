"""Finished logs of training: reading them, and what their curves show."""
