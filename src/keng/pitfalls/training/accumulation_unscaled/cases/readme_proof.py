assert first > 600
