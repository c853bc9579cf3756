"""The findings that belong to no family: the API server's refusals, placement, effects on other objects, and failures of the engine.

Each has an id, a name and a page, as the rules of families have.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.decode import UNDECODABLE
from weighbridge.policies.apiserver.unknown_fields import DUPLICATE_FIELD, UNKNOWN_FIELD
from weighbridge.policies.config.ignores import ENDED, GONE, UNUSABLE, UNUSED
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.verdict.breakage import BREAKS
from weighbridge.policies.verdict.judgement import INTERNAL_RULE, INVALID_FIELD, NO_MATCHES, NO_NODE, REFUSED
from weighbridge.policies.verdict.pod_admission import NEVER_ADMITTED, PODS_VIOLATE, QUOTA_EXCEEDED
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
        """The cluster has no such kind: the API group, the version or the kind is another.

The group is known and doesn't have the kind, or not in this version; or group or version are missing; or a known group that is spelled
almost the same has just this kind. kubectl fails before it sends anything. Write the group, the version and the kind that the cluster
serves. Where the cluster has it all the same, give its CustomResourceDefinition with `--crds`, or a snapshot with `--cluster`.""",
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
        INTERNAL_RULE,
        "internal-failure",
        Severity.ERROR,
        """Weighbridge itself failed.

The other rules are judged all the same. The configuration's `onError` says whether this refuses or warns. The log has the traceback; on the
command line, `weighbridge --debug` shows it.""",
    ),
)
