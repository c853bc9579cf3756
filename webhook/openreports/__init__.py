"""Reports of an audit: one for each object with findings, in the format of OpenReports.

`results` has the results of one object, `document` the report, `keeping` writes the reports of a cluster and removes outdated ones.
Policy Reporter and other tools show them.
"""
