"""The rules of OME, one file each."""
