assert "not writable" in str(said[0].message)
