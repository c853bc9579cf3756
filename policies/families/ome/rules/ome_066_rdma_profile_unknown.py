"""OME doesn't have the profile for RDMA.

With `rdma.ome.io/auto-inject` OME's pod webhook knows only the profile `oci-roce`, and refuses every pod with another one. Write
`oci-roce`, or leave the profile out.

Source: OME v0.1.5, pkg/webhook/admission/pod/rdma_injector.go.
"""

from weighbridge.policies.families.ome.predictions.merge.rdma import PROFILE, RDMA
from weighbridge.policies.families.ome.rulebook import SERVER_KINDS, Given, Said, Violation, objects, part, text
from weighbridge.policies.families.ome.subject.components import pod_parts


@objects.error(kinds=SERVER_KINDS, good="accepts-the-profile-for-rdma", bad="refuses-an-unknown-profile-for-rdma")
def check(given: Given) -> Said:
    for holder, path in ((part(given.object, "metadata"), ("metadata",)), *pod_parts(given.object)):
        annotations = part(holder, "annotations")
        profile = text(annotations, f"{RDMA}profile") or PROFILE
        if text(annotations, f"{RDMA}auto-inject") == "true" and profile != PROFILE:
            place = (*path, "annotations", f"{RDMA}profile")
            yield Violation(place, f'OME refuses the pods, since it has no profile "{profile}"', found=profile, expected=PROFILE)
