"""The objects that rules and predictions read, and the objects to which they refer."""
