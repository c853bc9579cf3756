"""The findings that belong to no family: the API server's refusals, placement, effects on other objects, and failures of the engine.

Each has an id, a name and a page, as the rules of families have.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.decode import UNDECODABLE
from weighbridge.policies.apiserver.unknown_fields import DUPLICATE_FIELD, UNKNOWN_FIELD
from weighbridge.policies.config.ignores import ENDED, GONE, UNUSABLE, UNUSED
from weighbridge.policies.config.sections import POLICY_FAILS
from weighbridge.policies.ground.cautions import ONE_NODE_STORAGE, OTHER_ZONE, SLICES, SMALL_DISK
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.verdict.breakage import BREAKS
from weighbridge.policies.verdict.cluster_policies import POLICY_REFUSES, POLICY_WARNS
from weighbridge.policies.verdict.group_rules import CHANGE, SCALED, TOGETHER, UPDATE
from weighbridge.policies.verdict.judgement import (
    INTERNAL_RULE,
    INVALID_FIELD,
    NEVER_ADMITTED,
    NO_MATCHES,
    NO_NODE,
    NO_ROOM,
    PODS_VIOLATE,
    QUOTA_EXCEEDED,
    REFUSED,
)
from weighbridge.policies.verdict.prediction import FAILS
from weighbridge.policies.verdict.repeated_objects import TWICE
from weighbridge.policies.verdict.stale_values import STALE
from weighbridge.policies.verdict.upgrade import STORED_OTHERWISE


@dataclass(frozen=True, slots=True)
class GeneralRule:
    """A kind of finding: its id, its name, its usual severity, and its page. The page begins with a sentence that says what is wrong."""

    id: str
    name: str
    severity: Severity
    page: str


GENERAL_RULES: Final = (
    GeneralRule(
        UNKNOWN_FIELD,
        "unknown-field",
        Severity.ERROR,
        """The object has a field that the schema of its kind doesn't have.

With `fieldValidation=Strict`, as kubectl sends it, the API server refuses the object; with `Warn` it warns, and with `Ignore` it drops the
field silently. Correct the spelling, or remove the field.""",
    ),
    GeneralRule(
        DUPLICATE_FIELD,
        "duplicate-field",
        Severity.ERROR,
        """A field occurs twice in the text.

The API server takes the last one; with `fieldValidation=Strict`, as kubectl sends it, it refuses the object. Remove one of the two.""",
    ),
    GeneralRule(
        INVALID_FIELD,
        "invalid-field",
        Severity.ERROR,
        """A value breaks the schema of its kind, or one of its CEL rules.

The message is the API server's own. Write a value that it allows.""",
    ),
    GeneralRule(
        UNDECODABLE,
        "undecodable-object",
        Severity.ERROR,
        """The API server can't read the object at all.

A part of it has a type that the server's code doesn't expect, such as a text instead of labels.""",
    ),
    GeneralRule(
        REFUSED,
        "request-refused",
        Severity.ERROR,
        """The API server refuses the request for a reason that is about no field.

The object that is updated isn't there, or isn't the one that the request was made for.""",
    ),
    GeneralRule(
        NO_MATCHES,
        "no-such-kind",
        Severity.ERROR,
        """The cluster has no such kind: the API group, the version or the kind is wrong.

The group is known and doesn't have the kind, or not in this version; or group or version are missing; or a known group that is spelled
almost the same has just this kind. kubectl fails before it sends anything. Write the group, the version and the kind that the cluster
serves. If the cluster has the kind, give its CustomResourceDefinition with `--crds`, or a snapshot with `--cluster`.""",
    ),
    GeneralRule(
        POLICY_REFUSES,
        "refused-by-policy",
        Severity.ERROR,
        """A ValidatingAdmissionPolicy or a MutatingAdmissionPolicy of the cluster refuses the object.

The message is the API server's own. Policies and bindings are taken from the snapshot, from `--policies`, and from the manifests of the
run. Change the object as the message says, or ask the owner of the policy for an exception. If several policies refuse it, the API server
answers with one of them at random.""",
    ),
    GeneralRule(
        POLICY_WARNS,
        "warned-by-policy",
        Severity.WARNING,
        """A ValidatingAdmissionPolicy of the cluster warns of the object.

The API server stores the object, and sends this warning with its answer. The binding of the policy has the action `Warn`.""",
    ),
    GeneralRule(
        NO_NODE,
        "no-node-fits",
        Severity.WARNING,
        """No node of the cluster could run the pods of a workload.

The API server stores the workload all the same, which is why this only warns; its pods stay Pending. The message is kube-scheduler's, on a
cluster without other pods. On the command line it makes the exit code 1 where nothing that is expected, scaled or paused could change it
(`--fail-on placement`, the default). A rule of a family that says the same takes its place. What isn't there may come with another
manifest: then the configuration's `references` decides.""",
    ),
    GeneralRule(
        TOGETHER,
        "pods-do-not-fit-together",
        Severity.WARNING,
        """Each pod fits a node, and all of them together don't, on a cluster that runs nothing else.

A group is a leader with its workers, or one pod of each workload that an object needs; a group that lacks a pod never serves. Replicas
beyond the room that there is stay Pending. This is said only where it is proven: by counting the resources of the nodes that the pods may
go to, and on small clusters by trying every way. Where even one group doesn't fit, the exit code is 1, as where no node fits (`--fail-on
placement`). Where nodes may come it is a note that names what may bring them. A rule of a family that says the same takes its place.""",
    ),
    GeneralRule(
        CHANGE,
        "change-does-not-fit",
        Severity.WARNING,
        """The objects of one run fit the empty cluster one by one, and not all together.

The message names what has the room instead. Objects of higher priority come first, then those that come first by kind and name; in the
cluster the scheduler decides by the order in which it gets the pods. The objects of different overlays, and of folders that are alike but
for one name such as `dev` and `prod`, aren't taken together.""",
    ),
    GeneralRule(
        UPDATE,
        "update-never-ends",
        Severity.NOTE,
        """A rolling update waits for ever, since a new pod finds no room before an old one ends.

The strategy asks for a new pod first (`maxSurge`) and lets no pod be missing (`maxUnavailable`, which rounds down: 25 % of three is none).
On nodes whose GPUs the old pods hold, the new one stays Pending, and the old ones stay. It is a warning on an update that changes the pods.
Set `maxUnavailable` to 1, or the strategy to `Recreate`.""",
    ),
    GeneralRule(
        SCALED,
        "autoscaler-beyond-nodes",
        Severity.NOTE,
        """An autoscaler may ask for more replicas than the nodes have room for.

The pods beyond that stay Pending under load. Lower the greatest number, or let nodes come.""",
    ),
    GeneralRule(
        NO_ROOM,
        "no-room-today",
        Severity.NOTE,
        """The pods of a workload fit an empty cluster, and no node has room for them with what runs there now.

They stay Pending until there is room, unless kube-scheduler preempts pods of lower priority for them. The message names what is short, the
nodes that lack the least, and pods without which these would do. What runs counts as the scheduler counts it: requests, the number of pods,
and ports of nodes. It is known from a snapshot that was taken with `weighbridge snapshot --pods`, or from the webhook's own watch
(`weighbridge serve --watch-pods`); without it nothing is said. The pods that the object has already count as gone. Affinity to running
pods, topology spread and PodDisruptionBudgets aren't looked at. It is a note, or a warning with `rules: {PLACE-006: warn}`, and never
refuses. On the command line `--fail-on capacity` makes the exit code 1.""",
    ),
    GeneralRule(
        SLICES,
        "gpu-shares-are-not-gpus",
        Severity.WARNING,
        """A container asks for several shares of a GPU, and gets fewer devices than that.

The scheduler counts what nodes list. Where a device plugin lists each GPU several times, four time slices of a card with 24 GiB are four
GPUs to it; the engine finds one, with 24 GiB, and one that is split over four (`--tensor-parallel-size 4`) doesn't start. A node's labels
say what its units are: `nvidia.com/gpu.replicas` and `gpu.sharing-strategy`, `gpu.product`, the labels of GKE and of Intel's rules, and
the annotation by which HAMi registers GPUs. With MPS, and on GKE with time-sharing, the device plugin refuses a container more than one. Of
MIG slices CUDA gives a process one, and they have no P2P. Ask for one, or for GPUs that aren't shared. Where only some of the nodes that
fit share their GPUs it is a note.""",
    ),
    GeneralRule(
        ONE_NODE_STORAGE,
        "driver-refuses-access-mode",
        Severity.WARNING,
        """A claim asks for an access mode that the driver of its storage class refuses.

Disks of clouds and volumes on a node's own disk are for one node: their drivers refuse `ReadWriteMany`, most of them `ReadOnlyMany` too.
The claim stays Pending, and so do the pods; only the claim's events say why. Make the claim `ReadWriteOnce` if one node is enough, or take
a class of a shared file system (EFS, Filestore, Azure Files, CephFS, NFS). The drivers that are known, with their sources, are listed in
`policies/placement/volumes/access_modes.py`. Nothing is said of other drivers, nor of claims that have a volume.""",
    ),
    GeneralRule(
        OTHER_ZONE,
        "volume-in-another-zone",
        Severity.WARNING,
        """A volume may be made in a zone where no node fits the pods.

A class that binds immediately has its volume made before the pod has a node, in any zone that has nodes. Disks are reached from their own
zone alone, so pods that need a GPU of one zone wait for good if the disk is in another. Take a class with
`volumeBindingMode: WaitForFirstConsumer`, or one whose `allowedTopologies` name the zones of the GPUs.""",
    ),
    GeneralRule(
        SMALL_DISK,
        "volume-beyond-the-disk",
        Severity.WARNING,
        """A volume on the node's own disk may grow beyond what any node that fits has there.

The scheduler counts no `sizeLimit` of an `emptyDir`. When the disk is full, the kubelet evicts the pod, and the next one fetches its model
anew. Take a PersistentVolumeClaim for a large cache, or nodes with larger disks. What counts is `ephemeral-storage` among what a node has
allocatable; where a node doesn't state it, nothing is said.""",
    ),
    GeneralRule(
        PODS_VIOLATE,
        "pods-violate-a-standard",
        Severity.WARNING,
        """The pods of a workload break a Pod Security Standard that their namespace only warns of, or writes into the audit log.

The label `pod-security.kubernetes.io/warn` of a namespace makes the API server warn of each workload and pod that breaks the standard, and
`.../audit` writes an entry into the audit log, which is a note here. The pods run all the same. The message is the server's. Where an
operator makes the workload, only the operator's log has the warning. What `.../enforce` refuses is PLACE-001: no pod ever comes.
[The admission of pods](../pod-admission.md) has more.""",
    ),
    GeneralRule(
        QUOTA_EXCEEDED,
        "quota-not-enough-for-all",
        Severity.WARNING,
        """A ResourceQuota lets a part of the pods or objects in, and refuses the rest.

One replica fits, and the quota isn't enough for all of them, or for all that one run creates, or what is used already leaves too little.
The message is the API server's for the first object that it refuses: the third replica, a Service with a node port, a claim. Counted are
what the quota's status says is used now, what the same run creates before (objects come by kind, then as they are given), the replicas,
and what controllers create besides, such as a ReplicaSet. An update gives back what the stored object takes. Quotas with scopes count the
pods that are in scope. It is only a warning, since others may go before. A pod that alone exceeds a quota is PLACE-001. Where a rule of a
family counts devices, this isn't said of them again. [The admission of pods](../pod-admission.md) has more.""",
    ),
    GeneralRule(
        NEVER_ADMITTED,
        "queue-never-admits",
        Severity.WARNING,
        """A workload names a queue of Kueue that never admits its pods, so they stay suspended or gated.

The label `kueue.x-k8s.io/queue-name` names a LocalQueue. Checked are that it and its ClusterQueue are there and not stopped, that the
ClusterQueue takes the namespace and covers each resource, that the quota of one flavor is enough for the pods that are admitted together,
with what the other ClusterQueues of its cohort lend, and that some node has the labels of that flavor. What others use isn't counted. The
message is Kueue's. Nothing is said where Kueue isn't installed; where its objects aren't known, the queue isn't checked.
[The admission of pods](../pod-admission.md) has more.""",
    ),
    GeneralRule(
        STALE,
        "value-no-longer-follows",
        Severity.WARNING,
        """A value that Weighbridge filled in no longer fits the objects that it was derived from.

For example, a service got a Vulkan image for its Model on an AMD GPU, and the Model has moved to an NVIDIA GPU. The record of what was
filled in is on the object (`weighbridge.dev/filled-in`). The message ends with the command that works the values out anew; a value that you
want to keep belongs into the manifest.""",
    ),
    GeneralRule(
        BREAKS,
        "change-breaks-others",
        Severity.WARNING,
        """A change or a deletion makes other objects fail that work today.

For example, a runtime config no longer names a gateway, and services with a route take theirs from it. The message names the first objects
that would break, and why; where no node could run the pods it has the scheduler's words. Only stored objects that go by the changed one are
asked; one that is given in the same run counts as it is given, and has a verdict of its own. At every door 200 objects are looked at for
one change, and where there are more it says so. `weighbridge impact` shows every object that would be resolved differently, field by
field. Both follow every kind that a prediction reads: models, templates, runtimes and configs, weights, caches and claims, pools, and the
ConfigMaps with an operator's settings. The configuration can make this an error (`rules: {WB-002: deny}`). The webhook is asked about
deletions of what others can depend on; an outage of the webhook holds none of them back, and those of the namespace controller and the
garbage collector never reach it.""",
    ),
    GeneralRule(
        FAILS,
        "operator-comes-no-further",
        Severity.WARNING,
        """The system's operator can't make what the object asks for.

The API server stores the object, and the operator then stops: a part of what it makes is refused, or something that it needs isn't as it
must be. The message is the operator's own where it writes one. Most failures have a rule of their own, with the field and what would do;
this reports the others. It is an error where nothing but a change of the object mends it, such as a Deployment that the API server refuses.
`weighbridge dry-run` shows how far the operator comes.""",
    ),
    GeneralRule(
        STORED_OTHERWISE,
        "stored-otherwise",
        Severity.NOTE,
        """One release stores another value than the one before, or its operator creates another object.

The release is one of Kubernetes, or of a system. This is said only where several releases are compared, as by `weighbridge lint
--kubernetes-version 1.35,1.37` or `weighbridge lint --release llmkube=0.9.5,llmkube=0.9.19`: values that are stored or filled in otherwise,
objects that the operator creates otherwise, and pods that could run on other nodes. Errors and warnings of one release alone say of which
release they are.""",
    ),
    GeneralRule(
        TWICE,
        "same-object-twice",
        Severity.WARNING,
        """An object is in two manifests of one run.

`kubectl apply` of a folder applies both, the second over the first; kustomize refuses it, and Argo CD warns. A copied file of which the
name wasn't changed is the usual cause. Remove one, or give it a name of its own. Until then the last one counts, by the names of files,
whatever the order of arguments. Manifests without a namespace count as those of `--namespace`.

Not compared are what charts and overlays render to, resources of different kustomizations, and two files below one folder whose paths
differ in the name of one folder only, such as `dev/model.yaml` and `prod/model.yaml`: these are meant for different clusters.""",
    ),
    GeneralRule(
        UNUSED,
        "unused-ignore",
        Severity.WARNING,
        """A comment or an annotation ignores a rule that has nothing to say there.

The fault was mended, or the comment is in another line than the finding: a comment after a field is for its line, one on a line of its own
is for the next line, and above an object for the whole object. Remove the rule from it, so that it doesn't hide the next fault. This isn't
said where facts were missing, or the API server's refusal kept the rule from being asked.""",
    ),
    GeneralRule(
        ENDED,
        "ended-ignore",
        Severity.WARNING,
        """A comment or an annotation that ignored findings has ended.

The findings count again since the end of that day, in UTC. Mend what they say, or write a later day with the reason for it.""",
    ),
    GeneralRule(
        UNUSABLE,
        "unusable-ignore",
        Severity.WARNING,
        """A comment or an annotation is meant to ignore findings, and can't be used.

It names the rules in brackets, then the reason, and perhaps the last day: `# weighbridge: ignore[LLMKUBE-085] reason until 2027-01-31`, or
the annotation `weighbridge.dev/ignore: "[LLMKUBE-085] reason until 2027-01-31"`. There must be a reason, and each id must be that of a
rule. An annotation doesn't ignore the API server's own refusals (`K8S-...`), and neither ignores a failure of Weighbridge. Where the
configuration has `ownExceptions`, only the rules named there can be ignored.""",
    ),
    GeneralRule(
        GONE,
        "mended-in-the-baseline",
        Severity.WARNING,
        """The baseline has a finding that is there no longer.

It was mended. Run `weighbridge lint --write-baseline FILE`, which removes it from the file, so that the fault can't come back unseen. A
finding of a file that this run didn't lint, or of a rule that lacked facts, isn't taken for mended.""",
    ),
    GeneralRule(
        POLICY_FAILS,
        "policy-fails",
        Severity.ERROR,
        """A policy of the configuration can't be evaluated on the object.

One of its expressions ends in an error, such as a key that isn't there, or costs more than the API server allows; or the installed CRD
lacks a field that the policy names. The message has the policy, the expression and the error. With `failurePolicy: Fail`, the default, this
is an error; with `Ignore` it is a note. The other policies are asked all the same, and a field that the expression would fill in stays
open. Ask whether a field is there before it is read: `has(object.spec.image)`, or `object.metadata.?labels[?'team'].orValue('')`.""",
    ),
    GeneralRule(
        INTERNAL_RULE,
        "internal-failure",
        Severity.ERROR,
        """Weighbridge itself failed.

The other rules are judged all the same. The configuration's `onError` says whether this refuses or warns. The log has the traceback; on the
command line, `weighbridge --debug` shows it.""",
    ),
)
