"""Rules for every test: no network, no fixed order, no missing vector, and clear reports of failures."""
