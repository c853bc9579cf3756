"""The rules of the Gateway API Inference Extension, one file each."""
