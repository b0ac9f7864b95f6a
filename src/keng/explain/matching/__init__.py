"""Which recorded patterns an error text matches."""
