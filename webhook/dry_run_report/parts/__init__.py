"""What the formats of a dry run share: the verdict as data with its shape, tables, and lines of YAML with origins."""
