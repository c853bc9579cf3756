"""What kube-apiserver says against a field of a pod, or of an object that creates pods: every wording.

What it says of fields of any object is in `ground.field_errors`, and what it says of names and labels in `schema.names`. Source:
Kubernetes v1.37, validation.go in pkg/apis/core/validation, pkg/apis/apps/validation, pkg/apis/autoscaling/validation and
pkg/apis/policy/validation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NOT_ABOVE_ZERO: Final = "must be greater than 0"
EMPTY: Final = "can not be empty"
SEVERAL_FIELDS: Final = "may not have more than one field specified at a time"
BACKSTEPS: Final = "must not contain '..'"
BEGINS_WITH_BACKSTEP: Final = "must not start with '..'"


def above(most: object) -> str:
    """The detail of a number that is too great."""
    return f"must be less than or equal to {most}"


def below(least: object) -> str:
    """The detail of a number that is too small."""
    return f"must be greater than or equal to {least}"


def outside(least: int, most: int) -> str:
    """The detail of a number that is too small or too great."""
    return f"must be between {least} and {most}, inclusive"


def too_long(most: int) -> str:
    """The detail of a text with too many characters."""
    return f"must be no more than {most} characters"


def none_of(words: Sequence[str]) -> str:
    """The detail of a part that needs one of these fields, of which there are at least two."""
    listed = ", ".join(f"`{word}`" for word in words[:-1])
    return f"must specify one of: {listed} or `{words[-1]}`"


def printed(shown: str, detail: str) -> str:
    """The detail of a value that the server prints in a form of its own."""
    return f"{shown}: {detail}"


# --- restarts and ports of the node ---

RULES_WITHOUT_POLICY: Final = "must specify restartPolicy when restart rules are used"
RULES_OF_SIDECAR: Final = "restartPolicyRules are not allowed for init containers with restart policy Always"
WITHOUT_HOST_USERS: Final = "when `hostUsers` is false"
NO_EXIT_CODES: Final = "must be specified"
OTHER_HOST_PORT: Final = "must match `containerPort` when `hostNetwork` is true"

# --- smaller fields of pods and containers ---

NO_IP: Final = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
LEADING_ZEROS: Final = "must not have leading 0s"
MAPPED_IP: Final = "must not be an IPv4-mapped IPv6 address"
NO_DNS_CONFIG: Final = "must provide `dnsConfig` when `dnsPolicy` is None"
NO_NAMESERVER: Final = "must provide at least one DNS nameserver when `dnsPolicy` is None"
NO_OPTION: Final = "must not be empty"
NOT_OF_LINUX: Final = "windows options cannot be set for a linux pod"
SHARED_TWICE: Final = "ShareProcessNamespace and HostPID cannot both be enabled"
NOT_OF_INIT: Final = "may not be set for init containers without restartPolicy=Always"


def too_many_nameservers(most: int) -> str:
    """The detail of too many nameservers."""
    return f"must not have more than {most} nameservers"


def too_many_searches(most: int) -> str:
    """The detail of too many search paths."""
    return f"must not have more than {most} search paths"


def sleeps_too_long(most: int) -> str:
    """The detail of a sleep that is longer than its pod has to stop."""
    return f"must be non-negative and less than terminationGracePeriodSeconds ({most})"


# --- groups, by LeaderWorkerSet's own webhook ---

GROUPS_BELOW_NONE: Final = "replicas must be equal or greater than 0"
GROUP_WITHOUT_PODS: Final = "size must be equal or greater than 1"


def too_many_pods(most: int) -> str:
    """The detail of more pods together than a number of 32 bits."""
    return f"the product of replicas and worker replicas must not exceed {most}"


# --- affinity and spread ---

KEYS_WITHOUT_SELECTOR: Final = "must not be specified when labelSelector is not set"
KEY_IN_SELECTOR: Final = "exists in both matchLabelKeys and labelSelector"
KEY_IN_BOTH: Final = "exists in both matchLabelKeys and mismatchLabelKeys"


def outside_weights(most: int) -> str:
    """The detail of a preference that weighs too little or too much."""
    return f"must be in the range 1-{most}"


def domains_of(unsatisfiable: str) -> str:
    """The detail of `minDomains` in a constraint that is only a preference."""
    return f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {unsatisfiable}"


# --- selectors and tolerations ---

NO_OPERATOR: Final = "not a valid selector operator"
NO_VALUES: Final = "must be specified when `operator` is 'In' or 'NotIn'"
UNUSED_VALUES: Final = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
SEVERAL_NUMBERS: Final = "must be specified single value when `operator` is 'Lt' or 'Gt'"
SEVERAL_NAMES: Final = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
NO_FIELD_KEY: Final = "not a valid field selector key"
NO_TERM: Final = "must have at least one node selector term"
NO_KEY: Final = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
UNUSED_SECONDS: Final = "effect must be 'NoExecute' when `tolerationSeconds` is set"
UNUSED_VALUE: Final = "value must be empty when `operator` is 'Exists'"
NODE_WITH_GATES: Final = "cannot be set until all schedulingGates have been cleared"

# --- environment and claims of containers ---

ENV_NAME_SHAPE: Final = "a valid environment variable name must consist only of printable ASCII characters other than '='"
CONFIG_KEY_SHAPE: Final = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
    "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)
VALUE_AND_SOURCE: Final = "may not be specified when `value` is not empty"


def wrong_version(version: str) -> str:
    """The detail of a `fieldRef` whose version isn't that of pods."""
    return f"error converting fieldPath: unsupported pod version: {version}"


def no_subscript(field: str) -> str:
    """The detail of a `fieldRef` with a key in brackets to a field that isn't a map."""
    return f"error converting fieldPath: field label does not support subscript: {field}"


def no_pod_field(field: str) -> str:
    """The detail of a `fieldRef` to a field that pods don't have."""
    return f"error converting fieldPath: field label not supported: {field}"


def not_named(name: str) -> str:
    """The detail of a key such as `..`, which means a folder in a path."""
    return f"must not be '{name}'"


def no_such_claim(names: Sequence[str]) -> str:
    """The detail of a reference to none of the pod's claims."""
    known = f": {', '.join(names)}" if names else " which is empty"
    return f"must be one of the names in pod.spec.resourceClaims{known}"


# --- ports and probes ---

PORT_NAME_CHARACTERS: Final = "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
PORT_NAME_LETTERS: Final = "must contain at least one letter (a-z)"
PORT_NAME_HYPHENS: Final = "must not contain consecutive hyphens"
PORT_NAME_ENDS: Final = "must not begin or end with a hyphen"
NO_HANDLER: Final = "must specify a handler type"
SEVERAL_HANDLERS: Final = "may not specify more than 1 handler type"

NOT_OF_READINESS: Final = "must not be set for readinessProbes"
NOT_ONE: Final = "must be 1"
HEADER_SHAPE: Final = (
    "a valid HTTP header must consist of alphanumeric characters or '-' "
    "(e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"
)

# --- resources ---

HUGE_PAGES_ALONE: Final = "HugePages require cpu or memory"
NOT_OF_CONTAINERS: Final = "must be a standard resource for containers"
NOT_STANDARD: Final = "must be a standard resource type or fully qualified"
NOT_EXTENDED: Final = "doesn't follow extended resource name standard"
NOT_WHOLE: Final = "must be an integer"
NO_LIMIT: Final = "Limit must be set for non overcommitable resources"
CLAIMS_OF_POD: Final = "claims may not be set for Resources at pod-level"


def no_multiple(amount: object, name: str) -> str:
    """The detail of an amount that isn't a whole number of huge pages."""
    return f"{amount} is not positive integer multiple of {name}"


def not_the_limit(name: str, limit: object) -> str:
    """The detail of a request that must be as great as the limit."""
    return f"must be equal to {name} limit of {limit}"


def above_limit(name: str, limit: object) -> str:
    """The detail of a request above the limit."""
    return above(f"{name} limit of {limit}")


def below_containers(kind: str, total: object) -> str:
    """The detail of a pod's requests or limits below the sum of its containers'; `kind` says which of the two."""
    return below(f"aggregate container {kind} of {total}")


def above_pod(limit: object) -> str:
    """The detail of a container's limit above that of its pod."""
    return above(f"pod limits of {limit}")


# --- security ---

UNMASKED_ON_HOST: Final = "`hostUsers` must be false to use `Unmasked`"
ESCALATES_PRIVILEGED: Final = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
ESCALATES_BY_CAPABILITY: Final = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"


def sysctl_shape(most: int, pattern: str) -> str:
    """The detail of a name that no sysctl can have."""
    return f"must have at most {most} characters and match regex ^{pattern}$"


def no_profile_type(system: str) -> str:
    """The detail of a seccomp or AppArmor profile without a type."""
    return f"type is required when {system[0].lower()}{system[1:]}Profile is set"


def unused_profile(system: str) -> str:
    """The detail of a profile's name, if profiles of its type have no name."""
    return f"can only be set when {system} type is Localhost"


def no_profile(system: str) -> str:
    """The detail of a profile on the node without a name."""
    return f"must be set when {system} type is Localhost"


# --- volumes and claims ---

SEVERAL_SOURCES: Final = "may not specify more than 1 volume type"
NEGATIVE_SIZE: Final = "SizeLimit field must be a valid resource quantity"
NOT_ABSOLUTE: Final = "must be an absolute path"
NOT_RELATIVE: Final = "must be a relative path"
OUTSIDE_MODES: Final = "must be a number between 0 and 0777 (octal), both inclusive"
MOUNTED_TWICE: Final = "must be unique"
SUB_PATH_TWICE: Final = "subPathExpr and subPath are mutually exclusive"
PROPAGATES_UNPRIVILEGED: Final = "Bidirectional mount propagation is available only to privileged containers"
NOT_READ_ONLY: Final = "may only be specified when readOnly is true"
NO_ACCESS_MODE: Final = "at least 1 access mode is required"
ONE_POD_AND_MORE: Final = "may not use ReadWriteOncePod with other access modes"
NO_CLAIM: Final = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
SEVERAL_CLAIMS: Final = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"

# --- workloads and budgets ---

NO_SELECTOR: Final = "invalid label selector"
NOTHING_CHANGES: Final = "may not be 0 when `maxSurge` is 0"
PERCENT_SHAPE: Final = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
)
ABOVE_ALL: Final = "must not be greater than 100%"
BOTH_BOUNDS: Final = "minAvailable and maxUnavailable cannot be both set"


def unused_by_strategy(strategy: str) -> str:
    """The detail of settings that belong to another strategy."""
    return f"may not be specified when strategy `type` is '{strategy}'"


def no_deadline_in(owner: str) -> str:
    """The detail of a deadline for pods that must run forever."""
    return f"activeDeadlineSeconds in {owner} is not Supported"


# --- autoscalers ---

NO_MAXIMUM: Final = "must be set and greater than 0"
BELOW_MINIMUM: Final = "must be greater than or equal to `minReplicas`"
NOTHING_FROM_ZERO: Final = "must specify at least one Object or External metric to support scaling to zero replicas"
NO_POLICY: Final = "must specify at least one Policy"
NO_METRIC_TYPE: Final = "must specify a metric source type"
NO_SOURCE: Final = "must populate information for the given metric source"
FURTHER_SOURCE: Final = "must populate the given metric source only"
NO_METRIC: Final = "must specify a metric name"
NO_RESOURCE: Final = "must specify a resource name"
NO_CONTAINER: Final = "must specify a container"
NO_TARGET_TYPE: Final = "must specify a metric target type"
WRONG_TARGET_TYPE: Final = "must be either Utilization, Value, or AverageValue"
NO_TARGET: Final = "must set either a target value or averageValue"
NO_TARGET_OF_METRIC: Final = "must set either a target value for metric or a per-pod target"
BOTH_TARGETS_OF_METRIC: Final = "may not set both a target value for metric and a per-pod target"
NO_AVERAGE: Final = "must specify a positive target averageValue"
NO_TARGET_OF_USAGE: Final = "must set either a target raw value or a target utilization"
BOTH_TARGETS_OF_USAGE: Final = "may not set both a target raw value and a target utilization"
NOT_POSITIVE_TARGET: Final = "must be positive"


def no_group_version(version: str) -> str:
    """The detail of a version with more than one slash."""
    return f"unexpected GroupVersion string: {version}"
