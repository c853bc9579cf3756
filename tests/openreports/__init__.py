"""Tests of an audit's reports. `crds` has upstream's definitions: openreports/reports-api v0.2.1, kubernetes-sigs/wg-policy-prototypes."""
