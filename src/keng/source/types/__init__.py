"""What expressions evaluate to."""
