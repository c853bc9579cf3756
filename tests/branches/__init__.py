"""The branches of operators' controllers, each with the case that covers it."""
