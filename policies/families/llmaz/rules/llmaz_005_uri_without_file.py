"""A model's URI ends before the name of its files.

llmaz names the folder of the files after the last part of the path. After a slash at the end that part is empty, and
engines get `/workspace/models/models--`. Write the path with a bucket and without a slash at the end.

Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, models
from weighbridge.policies.families.llmaz.subject.sources import source_of


@models.warning(good="accepts-a-uri-of-s3", bad="warns-of-a-uri-that-ends-with-a-slash")
def check(given: Given) -> Said:
    source = source_of(given.object)
    if source is None or source.scheme not in ("GCS", "OSS", "S3"):
        return
    at, (bucket, _, path) = ("spec", "source", "uri"), source.address.partition("/")
    if source.address.endswith("/"):
        yield Violation(at, "the path of the files ends with a slash", hint="write the path without a slash at the end", found=source.uri)
    elif not path:
        expected = f"{source.scheme.lower()}://bucket/path"
        yield Violation(at, "the URI names a bucket and no path of files", found=source.uri, expected=expected)
    elif not bucket or bucket.startswith("."):
        yield Violation(at, "the URI names no bucket", found=source.uri, expected=f"{source.scheme.lower()}://bucket/path")
