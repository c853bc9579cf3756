"""What people read of a family, as prose: written by `make words`, and held current by tests."""
