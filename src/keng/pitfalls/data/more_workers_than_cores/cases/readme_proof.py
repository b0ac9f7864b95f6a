assert "worker processes in total" in str(said[0].message)
