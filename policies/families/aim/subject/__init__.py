"""What AIM's rules and predictions look at: other objects, as they stand or will stand."""
