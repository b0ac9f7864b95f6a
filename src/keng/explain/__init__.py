"""Explains an error: a text that a program printed, or a live exception -> ranked diagnoses."""
