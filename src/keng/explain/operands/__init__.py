"""What the failing call was given, as far as a text and the user's line say."""
