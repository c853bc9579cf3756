"""The container image: a root file system of Debian's packages and the locked wheels, without a shell, written as an OCI archive."""
