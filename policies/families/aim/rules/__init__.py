"""The rules of AIM, one file each."""
