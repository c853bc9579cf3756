"""The AIM family, compared with recordings of its two operators."""
