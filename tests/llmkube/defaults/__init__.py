"""The values that are filled into Models and InferenceServices."""
