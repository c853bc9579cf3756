"""The AIM family, against recordings of its two operators."""
