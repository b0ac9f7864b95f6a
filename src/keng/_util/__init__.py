"""Small helpers that know nothing of keng: files, a cache, records, TOML."""
