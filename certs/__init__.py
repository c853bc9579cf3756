"""Makes, rotates and reads the certificates of the webhook, and their authority."""
