"""`make check`: the gate for a change, in two minutes on two cores. The whole gate is `make test`."""
