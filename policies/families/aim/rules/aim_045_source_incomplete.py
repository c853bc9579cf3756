"""Nothing can be downloaded from the address of a model source.

The CRD only requires `hf://` or `s3://` and no blanks. `hf://` needs an owner and a repository, `s3://` a bucket and a key; the download
fails otherwise.

Source: aim-engine v0.2.1, config/crd/bases; kaiwo dbca1b55, config/crd/bases.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, specs, text
from weighbridge.policies.families.aim.subject.written import model_sources

_FORMS = {"hf": "hf://OWNER/REPOSITORY", "s3": "s3://BUCKET/KEY"}


@specs.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel", "AIMService", "AIMArtifact", "AIMModelCache"),
    good="accepts-a-repository-with-its-owner",
    bad="warns-of-a-source-without-an-owner",
)
def check(spec: JSONObject) -> Said:
    for path, source in [*model_sources(spec), (("spec",), spec)]:
        uri = text(source, "sourceUri")
        scheme, _, rest = uri.partition("://")
        parts = [piece for piece in rest.split("/") if piece]
        if scheme in _FORMS and len(parts) < 2:
            yield Violation((*path, "sourceUri"), f'"{uri}" is incomplete', found=uri, expected=_FORMS[scheme])
