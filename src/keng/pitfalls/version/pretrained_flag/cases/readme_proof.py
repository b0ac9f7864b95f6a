assert "pretrained" in str(said[0].message)
