"""What llmaz makes of an object."""
