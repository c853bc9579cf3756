"""What stands between the tests and the machine: programs that build and run a control plane, and the long comparisons."""
