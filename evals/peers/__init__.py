"""Other tools on the same programs."""
