"""What the formats of a lint share: the results that they are given, ranks and counts of findings, and where each report goes."""
