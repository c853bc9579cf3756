"""What is filled into Models and InferenceServices."""
