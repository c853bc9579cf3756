"""What rules and predictions look at: objects as they are read, and what they refer to."""
