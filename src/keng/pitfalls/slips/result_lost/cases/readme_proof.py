assert average is None
