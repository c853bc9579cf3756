"""Reports of what an audit finds: one for each object with findings, as OpenReports has them.

`results` has the results of one object, `document` the report, `keeping` writes the reports of a cluster and removes those that no longer
hold. Policy Reporter and others show them.
"""
