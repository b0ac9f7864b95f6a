assert any("size_average" in str(warning.message) for warning in said)
