assert len(files.read) > len(files)
