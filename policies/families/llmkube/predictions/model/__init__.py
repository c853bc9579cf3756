"""The prediction for a Model: how its source is read and fetched, which phase it reaches, and the Job that fetches it ahead."""
