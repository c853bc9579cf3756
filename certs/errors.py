"""The one error of this package: something is wrong with a certificate, a key or a file that holds them."""

from __future__ import annotations


class CertificateError(Exception):
    """Says what is wrong with `subject`, and what would be right.

    `subject` is a file, or the certificate's name if there is no file.
    """

    def __init__(self, subject: str, wrong: str, remedy: str) -> None:
        super().__init__(f"{subject}: {wrong}; {remedy}")
        self.subject = subject
        self.wrong = wrong
        self.remedy = remedy
