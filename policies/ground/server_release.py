"""The releases of Kubernetes, and what differs between them: ``release().enforces_number_formats`` asks the one in force by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Final, TypeAlias, overload

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

Minor: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Since:
    """A difference: true from `version` on. `what` says what the server does from then on; `source` is where its source says so."""

    version: Minor
    what: str
    source: str

    @overload
    def __get__(self, release: None, owner: type) -> Since: ...

    @overload
    def __get__(self, release: ServerRelease, owner: type) -> bool: ...

    def __get__(self, release: ServerRelease | None, owner: type) -> Since | bool:
        return self if release is None else release.version >= self.version


class ServerRelease:
    """One minor release of Kubernetes, by its `version` such as ``(1, 36)``, and what differs in it."""

    system: Final = "Kubernetes"

    enforces_number_formats = Since(
        (1, 36),
        "the formats int32, int64, float and double are checked on numbers, and named in errors of type",
        "apiextensions-apiserver/pkg/apiserver/validation/formats.go, stripUnsupportedFormatsPostProcess",
    )
    checks_number_types = Since(
        (1, 36),
        "a fraction where an integer is due is an error of its own, and so is a bound that the type can't hold",
        "kube-openapi/pkg/validation/validate/schema.go, numberValidator",
    )
    knows_name_formats = Since(
        (1, 35),
        "the formats k8s-short-name and k8s-long-name are checked; a server checks what the release before it knows too",
        "apiextensions-apiserver/pkg/apiserver/validation/formats.go, supportedVersionedFormats",
    )
    names_label_keys = Since(
        (1, 35),
        "errors of label keys say what a valid label key is, and they and errors of label values count bytes",
        "apimachinery/pkg/api/validate/content/kube.go, IsLabelKey and IsLabelValue",
    )
    has_moved_schemes = Since(
        (1, 35),
        "the refusal of a body of a kind that isn't registered names another line of the server's source",
        "apimachinery/pkg/runtime/scheme.go, NewScheme",
    )
    names_whole_paths = Since(
        (1, 35),
        "where a CRD can't be read below items or additionalProperties, the whole path is named",
        "sigs.k8s.io/json/internal/golang/encoding/json/decode.go, addErrorContext",
    )
    shows_values_of_rules = Since(
        (1, 35),
        "the error of a rule has the value, or none of a list or an object, instead of the type",
        "apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, validateExpressions",
    )
    keeps_many_selectable_fields = Since(
        (1, 35),
        "an update may keep the selectable fields of a CRD that has more than a new CRD may have",
        "apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, findTooManySelectableFieldsAllowed",
    )
    warns_of_number_formats = Since(
        (1, 36),
        "the server warns of a CRD with unknown formats, whatever the type; before, it warned only of those of strings",
        "apiextensions-apiserver/pkg/apiserver/validation/formats.go, GetUnrecognizedFormats",
    )
    warns_of_sets = Since(
        (1, 37),
        "the server warns of a CRD with sets whose items are objects or lists",
        "apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go, getNonScalarListTypeSetWarnings",
    )
    relaxes_service_names = Since(
        (1, 36),
        "the name of a new Service may begin with a digit",
        "kubernetes/pkg/apis/core/validation/validation.go, ValidateServiceCreate, by the gate RelaxedServiceNameValidation",
    )
    reads_variables_of_files = Since(
        (1, 35),
        "a variable of a container may come from a file",
        "kubernetes/pkg/features/kube_features.go, EnvFiles; pkg/apis/core/validation/validation.go, validateEnvVarValueFrom",
    )
    compares_tolerations = Since(
        (1, 35),
        "the operators of tolerations are Lt and Gt, too",
        "kubernetes/pkg/apis/core/validation/validation.go, ValidateTolerations",
    )
    words_missing_maximum = Since(
        (1, 36),
        "an autoscaler without `maxReplicas` lacks a required value; before, 0 was an invalid one",
        "kubernetes/pkg/apis/autoscaling/validation/validation.go, validateHorizontalPodAutoscalerSpec",
    )
    reads_attribute_lists = Since(
        (1, 37),
        "the selector of devices may run a macro over an attribute, whose type is dyn, and `includes` is that of rules",
        "dynamic-resource-allocation/cel/compile.go, newCompiler and validateOutputType",
    )
    mounts_selinux_labels = Since(
        (1, 37),
        "a pod may ask for the mount option of SELinux",
        "kubernetes/pkg/features/kube_features.go, SELinuxMount; pkg/apis/core/validation/validation.go, validateSELinuxChangePolicy",
    )
    scales_to_zero = Since(
        (1, 37),
        "an autoscaler may have `minReplicas` 0 with an object or external metric; its bounds are declared, and their errors come last",
        "kubernetes/pkg/features/kube_features.go, HPAScaleToZero; pkg/apis/autoscaling/v2/zz_generated.validations.go",
    )
    bounds_names = Since(
        (1, 37),
        "the cost of a rule is estimated with the longest name that an object may have",
        "apiextensions-apiserver/pkg/apiserver/schema/cel/model/schemas.go, WithTypeAndObjectMeta",
    )
    lacks_durations_of_ints = Since(
        (1, 37),
        "CEL: duration() takes no int",
        "cel-go v0.29 common/stdlib/standard.go",
    )
    reads_escaped_fields = Since(
        (1, 37),
        "CEL: a field's name may be written in backticks, which makes names of any characters possible for maps",
        "cel-go v0.29 parser/parser.go, enableIdentEscapeSyntax",
    )
    leaves_scopes = Since(
        (1, 37),
        "CEL: a name with a dot before it isn't that of a macro's variable",
        "cel-go v0.29 checker/env.go, resolveSimpleIdent",
    )
    resolves_types_alone = Since(
        (1, 37),
        "CEL: the type of a struct is looked for among the types, and not among the variables",
        "cel-go v0.29 checker/env.go, resolveTypeIdent",
    )
    prices_affixes = Since(
        (1, 37),
        "CEL: startsWith and endsWith cost the length of what is looked for, not of the text",
        "cel-go v0.29 interpreter/runtimecost.go, costCall",
    )
    prices_matches = Since(
        (1, 37),
        "CEL: matches(text, pattern) costs as much as text.matches(pattern)",
        "cel-go v0.29 checker/cost.go and interpreter/runtimecost.go",
    )
    bounds_empty_searches = Since(
        (1, 37),
        "CEL: indexOf and lastIndexOf of an empty text give a place in the text, and refuse a negative start",
        "cel-go v0.29 ext/strings.go, indexOfOffset and lastIndexOfOffset",
    )
    bounds_ranges = Since(
        (1, 37),
        "CEL: lists.range refuses a negative size and one of more than a million",
        "cel-go v0.29 ext/lists.go, genRange",
    )
    requires_optionals = Since(
        (1, 37),
        "CEL: or and orValue of a value that is no optional are an error",
        "cel-go v0.29 cel/library.go, evalOptionalOr and evalOptionalOrValue",
    )
    keeps_types_in_optionals = Since(
        (1, 37),
        "CEL: what an optional holds keeps the type that the schema gives it",
        "cel-go v0.29 interpreter/attributes.go, refQualify",
    )
    joins_values = Since(
        (1, 37),
        "CEL: a sum of lists of an object holds values, where it held data to be read again",
        "apiserver/pkg/cel/common/valuesreflect.go, addToMapList and addToSetList",
    )
    counts_equal_items = Since(
        (1, 37),
        "CEL: sets and map lists are equal only where every item has its equal, and no two sets of four keys are mixed up",
        "apiserver/pkg/cel/common/valuesunstructured.go, Equal and toMapKey",
    )
    requires_references = Since(
        (1, 37),
        "owner references are named with their place in the list, and an empty field of one is a required value",
        "apimachinery/pkg/api/validation/objectmeta.go, validateOwnerReference",
    )
    requires_operations = Since(
        (1, 37),
        "the operation of managed fields is a required value, and one of those supported",
        "apimachinery/pkg/apis/meta/v1/validation/validation.go, ValidateManagedFields",
    )
    merges_metadata_errors = Since(
        (1, 37),
        "errors of metadata with one text are reported once",
        "apimachinery/pkg/api/validation/objectmeta.go, ValidateObjectMetaDeclaratively, by ErrorList.Filter",
    )
    reads_metadata_again = Since(
        (1, 37),
        "metadata is read again for the check of its kind, and a time after the year 9999 can't be",
        "apiextensions-apiserver/pkg/registry/customresource/validator.go, getObjectMeta",
    )
    checks_generation_of_updates = Since(
        (1, 37),
        "the generation of an update may not be negative, whatever it was before",
        "apimachinery/pkg/api/validation/objectmeta.go, ValidateObjectMetaAccessorUpdate",
    )
    checks_restart_rules = Since(
        (1, 35),
        "the rules by which a single container restarts are kept and checked, and before 1.36 none may restart all containers",
        "pkg/features/kube_features.go, ContainerRestartRules and RestartAllContainersOnContainerExits",
    )
    stops_at_missing_drivers = Since(
        (1, 35),
        "of a CSI volume without a driver only that is said; before, the driver was also no valid name",
        "kubernetes/pkg/apis/core/validation/validation.go, ValidateCSIDriverName",
    )
    matches_declared_features = Since(
        (1, 36),
        "a pod goes only to nodes that declare the features that it needs, such as the restart of all containers",
        "pkg/features/kube_features.go, NodeDeclaredFeatures",
    )
    keeps_device_taints = Since(
        (1, 36),
        "taints of devices and tolerations of requests for devices are kept",
        "pkg/features/kube_features.go, DRADeviceTaints",
    )
    keeps_device_counters = Since(
        (1, 36),
        "counters of devices are kept, and slices whose devices say for themselves which nodes they are for",
        "pkg/features/kube_features.go, DRAPartitionableDevices",
    )
    shares_devices = Since(
        (1, 36),
        "devices may have several users, requests may name a capacity, and constraints may want values that differ",
        "pkg/features/kube_features.go, DRAConsumableCapacity",
    )
    binds_devices_late = Since(
        (1, 36),
        "the conditions of devices that become ready only after they were allocated are kept",
        "pkg/features/kube_features.go, DRADeviceBindingConditions",
    )
    maps_extended_resources = Since(
        (1, 36),
        "a DeviceClass may name an extended resource",
        "pkg/features/kube_features.go, DRAExtendedResource",
    )
    passes_over_bad_pools = Since(
        (1, 35),
        "a pool is complete or not as a whole, and one that is incomplete or invalid is passed over; before, a node counted the slices "
        "that are for it, took devices of an incomplete pool, and an invalid pool was an error for the pod",
        "dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go, GatherPools",
    )
    keeps_alternatives_apart = Since(
        (1, 36),
        "an alternative for all devices is about its own devices; before, the second one got those of the first, and after one device the "
        "search went on with the first alternative",
        "dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go, Allocate and allocateOne",
    )
    names_preemption = Since(
        (1, 37),
        "the condition of a pod that preempts others names the node, and how many pods it preempts",
        "pkg/scheduler/framework/preemption/preemption.go, Evaluator.Preempt",
    )
    keeps_silent_about_claims = Since(
        (1, 37),
        "kube-scheduler's message doesn't say any more that there are no claims to deallocate, or that that doesn't help",
        "pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, PostFilter",
    )
    names_devices = Since(
        (1, 37),
        "kube-scheduler names the device whose selector fails, and the request that asks for too many devices",
        "dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go, cel/errors.go",
    )
    gathers_pools_by_node = Since(
        (1, 37),
        "a pool concerns only the nodes that its devices are for, also where it has counters",
        "dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go, GatherPools",
    )
    counts_pools_by_driver = Since(
        (1, 37),
        "pools of two drivers keep their counters apart, also where they have one name",
        "dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go, checkAvailableCounters",
    )
    waits_for_all_devices = Since(
        (1, 37),
        "a request for all devices means those too whose capacity is in use",
        "dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go, validateDeviceRequest",
    )
    counts_shares_once = Since(
        (1, 37),
        "a share of a device draws no counters again where another claim has a share without an amount",
        "dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go, deviceCapacityInUse",
    )
    tells_all_devices_apart = Since(
        (1, 37),
        "distinctAttribute holds for all devices of a request, and not only for the latest",
        "dynamic-resource-allocation/structured/internal/incubating/constraint.go, distinctAttributeConstraint",
    )
    defaults_pods_last = Since(
        (1, 37),
        "the requests of a pod as a whole are filled in after those of its containers by a LimitRange",
        "pkg/registry/core/pod/strategy.go, PrepareForCreate",
    )
    audits_all_failures = Since(
        (1, 37),
        "the audit annotation of a ValidatingAdmissionPolicy has all failures of a request, and not only the first one",
        "apiserver/pkg/admission/plugin/policy/validating/dispatcher.go, publishValidationFailureAnnotations",
    )
    reads_structs = Since(
        (1, 37),
        "CEL in admission policies: objects that the server holds in Go's structs equal no value that is no map, but fail the comparison",
        "apiserver/pkg/cel/common/valuesschemalesstyped.go, Equal",
    )
    declares_bindings = Since(
        (1, 37),
        "a binding of a ValidatingAdmissionPolicy without actions is refused without a further word",
        "kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding/strategy.go, DeclarativeValidation",
    )
    reserves_static_names = Since(
        (1, 37),
        "no admission policy may have a name that ends with .static.k8s.io",
        "kubernetes/pkg/apis/admissionregistration/validation/static_suffix.go, by the gate ManifestBasedAdmissionControlConfig",
    )
    patches_lists_of_objects = Since(
        (1, 37),
        "a JSONPatch of a MutatingAdmissionPolicy may have a list of objects as its value; before, the server breaks down",
        "apiserver/pkg/cel/mutation/dynamic/objects.go, ConvertToNative",
    )
    converts_parts_of_objects = Since(
        (1, 37),
        "a null within a map or list of the object is a CEL null in an ApplyConfiguration, which no type takes",
        "apiserver/pkg/cel/mutation/dynamic/objects.go, convertField",
    )

    merges_into_duplicates = Since(
        (1, 35),
        "an ApplyConfiguration may be merged into an object that has an item twice; before, that was an error",
        "apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go, ApplyStructuredMergeDiff",
    )
    bounds_stateful_updates = Since(
        (1, 37),
        "defaults: StatefulSets that roll have `maxUnavailable` 1, CSIDrivers have `preventPodSchedulingIfMissing`",
        "kubernetes/pkg/features/kube_features.go, MaxUnavailableStatefulSet and VolumeLimitScaling",
    )

    def __init__(self, version: Minor) -> None:
        self.version = version
        #: The release as people write it: ``1.36``.
        self.name = ".".join(map(str, version))

    def __repr__(self) -> str:
        return f"ServerRelease({self.name})"


#: The releases that are modelled, the oldest first; the newest is judged by where none is known.
RELEASES: Final = tuple(ServerRelease((1, minor)) for minor in range(34, 38))
USUAL: Final = RELEASES[-1]
_VERSION: Final = expression(r"v?(\d{1,4})\.(\d{1,4})(?![\d])")

_in_force: ContextVar[ServerRelease] = ContextVar("release", default=USUAL)


def release() -> ServerRelease:
    """The release in force."""
    return _in_force.get()


@contextmanager
def judging(by: ServerRelease) -> Iterator[None]:
    """Have a release in force."""
    token = _in_force.set(by)
    try:
        yield
    finally:
        _in_force.reset(token)


def is_modelled(version: str) -> bool:
    """Whether the release of a version is one of those that are modelled."""
    found = _VERSION.match(version)
    return found is not None and (int(found[1]), int(found[2])) in {known.version for known in RELEASES}


@lru_cache(maxsize=64)
def nearest(version: str) -> ServerRelease | None:
    """The modelled release that is nearest to a version, such as ``1.35``, ``v1.35.4`` or ``v1.33.1-eks-1``; `None` if it is no version."""
    found = _VERSION.match(version)
    if found is None:
        return None
    minor = int(found[1]), int(found[2])
    return min(RELEASES, key=lambda known: (abs(known.version[1] - minor[1]) if minor[0] == 1 else -known.version[1], known.version))
