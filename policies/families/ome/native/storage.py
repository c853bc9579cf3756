"""Rules about storage, from which files are read and to which they are written: URIs, and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of

#: The field that has the URI. It differs between the kinds, so the expressions read it without types.
_FIELD: Final = "(object.kind == 'BenchmarkJob' ? 'outputLocation' : 'storage')"
_URI: Final = f"string(dyn(object).?spec[?{_FIELD}].storageUri.orValue(''))"
_OF_MODEL: Final = "object.?spec.storage.storageUri.orValue('')"
_OF_RESULTS: Final = "object.?spec.outputLocation.storageUri.orValue('')"
_NAMESPACE: Final = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
#: The URIs of each scheme that OME can read.
_READ: Final = {
    "oci": "oci://n/[^/]*/b/[^/]*/o/",
    "pvc": f"pvc://([^/:]+|{_NAMESPACE}:[^/:]+)/.",
    "vendor": "vendor://[^/]+/[^/]+/.",
    "hf": "hf://[^@]",
    "s3": "s3://([^@/]|/[^@]*@|[^@]+@)",
    "az": "az://[^/]",
    "gs": "gs://[^/]",
    "github": "github://[^/@]+/[^@]",
    "local": "local://.",
}
_AZURE: Final = ".blob.core.windows.net/"
_AZURE_PARTS: Final = f"uri.substring(5).split(uri.contains('{_AZURE}') ? '{_AZURE}' : '/', 2)"


def is_read(uri: str, *schemes: str) -> str:
    """Whether OME can read a URI and the URI has one of these schemes."""
    found = [f"{uri}.matches('(?s)^({'|'.join(_READ[scheme] for scheme in schemes if scheme != 'az')})')"]
    if "az" in schemes:
        found.append(f"({uri}.startsWith('az://') && [{uri}].exists(uri, {_has_container()}))")
    return f"({' || '.join(found)})"


def _has_container() -> str:
    """Whether a URI of Azure names an account and a container: as ``account/container``, or with the host of the account."""
    return f"{_AZURE_PARTS}.size() == 2 && {_AZURE_PARTS}[0] != '' && {_AZURE_PARTS}[1].matches('^[^/]')"


_MISTAKE: Final = (
    f"variables.uri == '' && !dyn(object).?spec[?{_FIELD}].storageUri.hasValue() ? '' :"
    f" !variables.uri.matches('^(oci|pvc|vendor|hf|s3|az|gs|github|local)://') ?"
    " 'its scheme is none of oci://, pvc://, vendor://, hf://, s3://, az://, gs://, github://, local://' :"
    f" {is_read('variables.uri', *_READ)} ? '' :"
    " variables.uri.startsWith('oci') ? 'it must read oci://n/NAMESPACE/b/BUCKET/o/PREFIX' :"
    " variables.uri.startsWith('pvc') ? (!variables.uri.matches('(?s)^pvc://[^/]+/.') ?"
    " 'it must read pvc://CLAIM/PATH or pvc://NAMESPACE:CLAIM/PATH' : !variables.uri.matches('(?s)^pvc://[^/:]*:[^/:]+/') ?"
    " 'it must have one colon, between the namespace and the claim' :"
    " '\"' + variables.uri.substring(6).split(':')[0] + '\" isn\\'t a namespace') :"
    " variables.uri.startsWith('vendor') ? 'it must read vendor://VENDOR/TYPE/PATH' :"
    " variables.uri.startsWith('hf') ? 'it must read hf://MODEL or hf://MODEL@BRANCH' :"
    " variables.uri.startsWith('s3') ? 'it must read s3://BUCKET/PREFIX or s3://BUCKET@REGION/PREFIX' :"
    " variables.uri.startsWith('az') ? 'it must read az://ACCOUNT/CONTAINER/PATH' :"
    " variables.uri.startsWith('gs') ? 'it must read gs://BUCKET/OBJECT' :"
    " variables.uri.startsWith('github') ? 'it must read github://OWNER/REPOSITORY or github://OWNER/REPOSITORY@TAG' :"
    " 'it must name a path'"
)
_SCHEME: Final = "variables.uri.split('://')[0] + '://"

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-104": native(
        must(
            "variables.mistake == ''",
            "",
            says=f"'spec.' + {_FIELD} + '.storageUri: \"' + variables.uri + \"\\\" can't be read: \" + variables.mistake",
        ),
        uri=_URI,
        mistake=_MISTAKE,
    ),
    "OME-105": native(
        must(
            f"!{is_read('variables.uri', 'vendor', 'hf', 'local')}",
            ".spec.outputLocation.storageUri",
            says=f"\"OME can't write results to \" + {_SCHEME}, and creates no Job'",
        ),
        uri=_OF_RESULTS,
    ),
    "OME-107": native(
        must(
            "variables.named == '' || variables.named == object.metadata.namespace",
            ".spec.outputLocation.storageUri",
            says=("'OME looks for the claim in namespace \"' + object.metadata.namespace + '\", not in \"' + variables.named + '\"'"),
        ),
        uri=_OF_RESULTS,
        named=(
            f"{is_read('variables.uri', 'pvc')} && variables.uri.matches('^pvc://[^/]*:') ? variables.uri.substring(6).split(':')[0] : ''"
        ),
    ),
    "OME-120": native(
        must(
            f"!{is_read('variables.uri', 's3', 'az', 'gs', 'github')}",
            ".spec.storage.storageUri",
            says=f"'the agent of OME v0.1.5 can\\'t download from ' + {_SCHEME}, and the model fails'",
        ),
        uri=_OF_MODEL,
    ),
    "OME-121": native(
        must(
            f"!{is_read(_OF_MODEL, 'pvc')}",
            ".spec.storage.storageUri",
            "the agent of OME v0.1.5 skips models on claims, so pods that serve this model stay Pending",
        )
    ),
    "OME-122": native(
        must(
            f"object.kind != 'BaseModel' || !{is_read(_OF_MODEL, 'pvc')} || !{_OF_MODEL}.matches('^pvc://[^/]*:')",
            ".spec.storage.storageUri",
            "a BaseModel's claim is in its own namespace, but the URI names one",
        ),
        must(
            f"object.kind == 'BaseModel' || !{is_read(_OF_MODEL, 'pvc')} || {_OF_MODEL}.matches('^pvc://[^/]*:')",
            ".spec.storage.storageUri",
            "a ClusterBaseModel has no namespace, and its URI doesn't say where the claim is",
        ),
    ),
    "OME-123": native(
        must(
            f"!{is_read(_OF_MODEL, 'hf', 'oci')} || object.?spec.storage.path.orValue('') != ''",
            ".spec.storage.path",
            "OME's agent panics when it downloads a model without a path",
        )
    ),
    "OME-124": native(
        none_of("wrong"),
        wrong=(
            "['storage', 'outputLocation', 'dataset'].map(field, dyn(object).?spec[?field].parameters.orValue({}).transformList(key, value,"
            " key in ['token', 'aws_secret_access_key', 'security_token', 'azure_account_key', 'github_token'],"
            " 'spec.' + field + '.parameters.' + string(key) + ': \"' + string(key)"
            " + '\" is in plain text, so everyone who may read the object can read it')).flatten()"
        ),
    ),
    "OME-126": native(
        must(
            f"!{is_read('variables.uri', *(scheme for scheme in _READ if scheme != 'oci'))}",
            ".spec.storage.storageUri",
            says=f"'OME reads weights only from oci://, and panics at ' + {_SCHEME} when it creates the pods'",
        ),
        uri=_OF_MODEL,
    ),
}
