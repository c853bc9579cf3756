"""Programs of the Makefile, and those that build and run a control plane for the tests."""
