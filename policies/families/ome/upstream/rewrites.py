"""How OME's mutating webhook rewrites an InferenceService: it decodes the object into Go's structs and encodes these again.

OME has no mutating webhook for its other kinds. The CRD requires fewer fields than Go writes: upstream's build removes `required` from
everything two levels below the spec, and from the actions of probes.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go, pkg/apis/ome/v1beta1, Makefile; k8s.io/api v0.33.7.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.go_round_trip import KUBERNETES, GoForm, Rewritten, rewritten
from weighbridge.policies.ground.objects import JSONObject

_FORM: Final = GoForm(
    parts=(
        (frozenset({"engine", "predictor"}), {"predictor": {}}),
        # Runners and other containers, references to scalers, actions of probes.
        (frozenset({"image", "name", "volumeMounts"}), {"name": ""}),
        (frozenset({"kind", "name"}), {"name": ""}),
        (frozenset({"host", "port"}), {"port": 0}),
        # Templates of claims.
        (frozenset({"metadata", "spec"}), {"metadata": {}, "spec": {}}),
        *KUBERNETES,
    ),
    emptied={
        **dict.fromkeys(("kind", "policy"), "enum"),
        **dict.fromkeys(("fsType", "iscsiInterface", "keyring", "pool", "protocol", "storageMode", "user"), "default"),
    },
    drops_empty=True,
)


def rewrite(service: JSONObject, schema: JSONObject) -> Rewritten:
    """The service as the webhook returns it; `schema` is that of its CRD."""
    return rewritten(service, schema, _FORM)
