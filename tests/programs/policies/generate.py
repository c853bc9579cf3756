"""Draws policies with their bindings, and requests to try them on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from tests.programs.policies.world import GROUP, NAMESPACES
from weighbridge.policies.ground.objects import JSONObject

API: Final = "admissionregistration.k8s.io/v1"
#: Conditions that are true, false or an error, depending on the object.
BOOLS: Final = (
    "object.spec.size > {n}", "object.spec.size == {n}", "object.spec.size <= {n} || object.spec.title == 'b'", "has(object.spec.ratio)",
    "object.spec.ratio > 1.5", "object.spec.title.startsWith('{w}')", "object.spec.title.matches('^[a-z]+$')",
    "object.spec.enabled == true", "!object.spec.enabled", "object.spec.tags.exists(t, t == '{w}')",
    "object.spec.tags.all(t, t.size() < {n})", "'{w}' in object.spec.tags", "object.spec.parts.map(p, p.weight).sum() < {n}",
    "object.spec.parts.filter(p, p.weight > {n}).size() == 0", "object == oldObject",
    "object.spec.parts.all(p, p.args.all(a, a.contains('{w}')))", "object.spec == oldObject.spec",
    "oldObject.spec.size <= object.spec.size", "has(oldObject.spec.size)", "oldObject == null", "object != null",
    "request.operation == 'UPDATE'", "request.name == '{w}'", "request.namespace.startsWith('team')", "has(request.namespace)",
    "has(request.subResource)", "request.subResource == 'scale'", "request.kind.version == 'v1'",
    "request.requestKind.version == request.kind.version", "request.resource.resource == 'widgets'",
    "request.userInfo.username == 'admin'", "'system:masters' in request.userInfo.groups", "has(request.userInfo.extra)",
    "request.dryRun", "namespaceObject.metadata.labels.env == 'prod'", "namespaceObject == null",
    "has(namespaceObject.metadata.labels.team)", "namespaceObject.metadata.name == request.namespace",
    "namespaceObject.status.phase == 'Active'", "object.spec.until < '2030-01-01T00:00:00Z'",
    "timestamp(object.spec.until) < timestamp('2030-01-01T00:00:00Z')", "object.spec.until > timestamp('2030-01-01T00:00:00Z')",
    "quantity(object.spec.memory).isLessThan(quantity('{n}Gi'))", "isQuantity(object.spec.memory)", "object.spec.limits.cpu <= {n}",
    "object.spec.limits.all(k, object.spec.limits[k] > {n})", "object.spec.limits['cpu'] + object.spec.size < {n}",
    "object.spec.port == {n}", "object.spec.port == '{w}'", "type(object.spec.port) == int", "object.spec.namespace == '{w}'",
    "object.spec['dash-ed'] == '{w}'", "object.spec.__namespace__ == '{w}'", "object.spec.free.a.b == {n}",
    "object.spec.free.list[{n}] == 1", "object.spec.maybe == null", "object.spec.?maybe.orValue('{w}') == '{w}'",
    "object.spec.size / {z} > 1", "object.spec.?size.hasValue()", "object.spec.size * 9223372036854775807 > 0",
    "object.metadata.labels.exists(l, l == '{w}')", "object.metadata.?labels['a'].orValue('x') == '{w}'",
    "object.metadata.name.size() < {n}", "object.metadata.namespace == request.namespace", "object.metadata.annotations['a'] == '{w}'",
    "int(object.spec.title) > {n}", "string(object.spec.size) == '{n}'", "object.status.ready > {n}", "has(object.status)",
    "object.spec.size in [{n}, 1, 2]", "object.spec.title in ['a', '{w}']", "[1, 2, 3].sum() == {n}", "{{'a': 1}}.a == {n}",
    "object.spec.tags.isSorted()", "sets.contains(object.spec.tags, ['{w}'])", "object.spec.tags == ['{w}', 'a']",
    "object.spec.parts[0].name == '{w}'", "object.spec.parts.exists_one(p, p.name == '{w}')", "object.spec.size == 5.0",
    "duration(object.spec.title) > duration('1s')", "semver(object.spec.title).major() > {n}", "ip(object.spec.title).family() == 4",
    "url(object.spec.title).getHost() == '{w}'", "'%d'.format([object.spec.size]) == '{n}'", "object.spec.title.split('')[{n}] == 'a'",
    "object.spec.tags.map(t, object.spec.parts.map(p, p.name + t).size()).sum() < {n}", "object.spec.title.charAt({n}) == 'b'",
    "object.spec.tags.join(',') == '{w}'", "object.spec.missing == 1", "object.apiVersion == 'policies.test/v1'",
    "object.kind == request.kind.kind", "dyn(object.spec.size) == '{w}'", "object.spec.title < {n}",
    "object.spec.tags.size() + size(object.spec.parts) < {n}", "optional.of(object.spec.size).value() > {n}",
    "cidr('10.0.0.0/8').containsIP('10.0.0.1')", "object.spec.size.all(x, x)",
    "object.spec.tags.transformList(i, v, v + string(i)).size() == {n}", "object.spec.title.find('[a-z]+') == '{w}'",
    "object.metadata.generation == {n}", "authorizer.group('').resource('pods').check('get').allowed()", "object.metadata.uid != ''",
)  # fmt: skip
#: Functions on values whose types are found only when they are evaluated, and further forms of expressions.
_ODD: Final = (
    "object.spec.free.list.sum() == {n}", "object.spec.free.list.max() > {n}", "object.spec.free.list.first().value() == {n}",
    "object.spec.free.list.last().orValue(0) == {n}", "object.spec.free.list[?{n}].hasValue()", "object.spec.free.?a.?b.orValue(0) == {n}",
    "object.spec.free.x == null", "size(object.spec.free) == {n}", "object.spec.free.f + object.spec.size > {n}",
    "object.spec.free.a == {{'b': {n}}}", "{{'b': {n}}} == object.spec.free.a", "object.spec.free == object.spec.free",
    "object.spec.free.list == [1, {n}]", "[1.0, 2.0] == object.spec.free.list", "object.spec.free.exists(k, k == '{w}')",
    "object.spec.free.all(k, v, k == '{w}' || v != {n})", "object.spec.free.list.all(x, x < {n})", "object.spec.free.list.sort() == [1, 2]",
    "object.spec.free.list.isSorted()", "object.spec.free.list.indexOf({n}) == 0", "object.spec.free.list.join() == '{w}'",
    "dyn(object.spec.title) + object.spec.size == '{w}'", "dyn(object.spec.tags).first().value() == '{w}'",
    "dyn(object.spec.port).startsWith('{w}')", "dyn(object.spec.size).size() == {n}", "dyn(object.spec.maybe) == dyn({n})",
    "object.spec.parts[?0].?args[?{n}].orValue('') == '{w}'", "object.spec.parts.first().?name.hasValue()",
    "[?object.spec.?maybe, '{w}'].size() == {n}", "{{?'a': object.spec.?size}} == {{'a': {n}}}",
    "{{'a': object.spec.tags}} == {{'a': ['{w}']}}", "{{'a': object.spec.size}} == {{'a': {n}.0}}", "{{'a': 1}} in [object.spec.limits]",
    "object.spec.limits == {{'cpu': {n}}}", "object.spec.limits.transformMap(k, v, v + 1).cpu == {n}",
    "object.spec.?tags.optMap(t, t.size()).orValue(0) == {n}", "object.spec.?parts.optFlatMap(p, p.first()).hasValue()",
    "object.spec.tags.distinct().reverse().slice(0, 1) == ['{w}']", "lists.range({n}).sum() == 3", "object.spec.title in object.spec.free",
    "object.spec.?free.?list.orValue([]).map(x, x * 2).exists(x, x == {n})", "string(object.spec.free.a) == '{w}'",
    "type(object.spec.free.f) == double", "type(object.spec.maybe) == null_type", "int(object.spec.ratio) == {n}",
    "double(object.spec.size) / {z}.0 > 1.0", "object.spec.size % {z} == 1", "-object.spec.size < {n}", "uint(object.spec.size) > {n}u",
    "object.metadata.labels == {{'slot': '{n}'}}", "object.metadata == oldObject.metadata", "oldObject.?spec.?size.orValue(0) < {n}",
    "object.metadata.managedFields.size() > 0", "object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')",
    "object.metadata.resourceVersion == '{n}'", "has(object.metadata.generateName)", "object.metadata.finalizers.size() == {n}",
    "request.object == object", "request.oldObject == oldObject", "request.options.dryRun == ['All']", "has(request.options)",
    "request.uid != ''", "request.userInfo.uid == '{w}'", "request.requestResource.resource == 'widgets'",
    "authorizer.requestResource.check('update').allowed()", "authorizer.path('/healthz').check('get').reason() == ''",
    "namespaceObject.metadata.?labels.?env.orValue('') == 'lab'", "variables == null", "object.spec.size.format('%d') == '{n}'",
    "'%s %d %.1f'.format([object.spec.title, object.spec.size, object.spec.ratio]) == '{w}'",
    "format.dns1123Label().validate('{w}').hasValue()",
    "quantity(object.spec.memory).add(quantity('1')).compareTo(quantity('{n}')) > 0", "object.spec.until.startsWith('2026')",
    "timestamp(object.spec.until).getFullYear() == 2026", "duration('1h') > duration(object.spec.title)",
    "b'{w}' == bytes(object.spec.title)",
)  # fmt: skip
_PARAMS: Final = (
    "object.spec.size <= params.limit", "params.words.exists(w, w == object.spec.title)", "has(params.limit)", "params.mode == 'strict'",
    "params != null", "params == null", "params.metadata.name == '{w}'", "params.kind == 'Limit'",
    "params.metadata.namespace == request.namespace", "object.spec.title.startsWith(params.data.prefix)",
    "int(params.data.most) > object.spec.size", "params.apiVersion == 'policies.test/v1'",
)  # fmt: skip
_VARIABLES: Final = (
    "object.spec.size", "object.spec.tags", "object.spec.tags.size() + 1", "'{w}' + object.spec.title", "object.?spec.size",
    "object.spec.parts[0]", "object.spec.size > {n}", "[1, 2, {n}]", "{{'{w}': {n}}}", "request.kind",
    "timestamp('2030-01-01T00:00:00Z')", "object.spec.missing", "dyn(1) / {z}", "variables.{before}", "variables.{before} == null",
    "duration('{n}s')", "namespaceObject", "oldObject.spec", "null", "object",
)  # fmt: skip
_OF_VARIABLES: Final = (
    "variables.{v} == {n}", "variables.{v} > {n}", "variables.{v}.exists(t, t == '{w}')", "string(variables.{v}) == '{w}'",
    "variables.{v} != null", "variables.{v}.value() == {n}", "variables.{v}.orValue({n}) > 1", "size(variables.{v}) < {n}",
    "variables.{v} == variables.{v}", "variables.{v}.name == '{w}'", "has(variables.{v})", "'{w}' in variables.{v}",
    "variables.{v} || object.spec.enabled == false",
)  # fmt: skip
_TEXTS: Final = (
    "'size is ' + string(object.spec.size)", "'no ' + object.spec.title", "object.spec.title + ''", "'  padded {w}\\t'", "''",
    "'two\\nlines'", "'ends\\n'", "string(object.spec.missing)", "'%s of %d'.format([object.spec.title, {n}])",
    "object.spec.tags.map(t, string(t)).join(' ')", "'é日本'", "request.operation", "'x'.replace('x', 'y')", "string(request.name)",
    "string(quantity('{n}'))",
)  # fmt: skip
_TEN: Final = "[1,2,3,4,5,6,7,8,9,10]"
_LOOPS: Final = (
    f"{_TEN}.all(a, {_TEN}.all(b, {_TEN}.all(c, {_TEN}.all(d, {_TEN}.all(e, a + b + c + d + e > {{n}})))))",
    f"{_TEN}.all(a, {_TEN}.all(b, {_TEN}.all(c, {_TEN}.all(d, a + b > {{n}}))))",
    "object.spec.tags.all(a, object.spec.tags.all(b, object.spec.tags.all(c, a + b + c != '{w}')))",
)
_WRONG: Final = (
    "object.spec.enabled", "'text'", "1 +", "undeclared == 1", "object.spec.size > 'a' + 1", "request.nothing == 1",
    "variables.never == 1", "duration('1d') == duration('1s')", "int('4x') == 1", "['a', object.spec.title].size() > 0",
    "true ? 'x' : null", "math.abs(1) == 1", "'a'.matches('(')", "object.spec.?enabled.orValue(false)", "", "  ", "params.limit > 1",
    "namespaceObject.kind == 'x'", "object.spec.in == 1",
)  # fmt: skip
#: What the metadata of an update may have besides.
ODD_METADATA: Final[tuple[JSONObject, ...]] = (
    {"uid": "00000000-0000-0000-0000-000000000000"}, {"resourceVersion": "1"}, {"resourceVersion": ""}, {"generation": 9},
    {"name": "other"}, {"namespace": "other"}, {"generateName": "g-"}, {"creationTimestamp": None},
    {"deletionTimestamp": "2020-01-01T00:00:00Z"},
    {"finalizers": ["x"]}, {"ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "o", "uid": "u"}]}, {"managedFields": []},
)  # fmt: skip
WORDS: Final = ("a", "b", "red", "blue", "x-1", "w1", "7", "limits")


class Draw:
    """The choices of one policy or request."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.variables: list[str] = []
        self.has_params = False

    def chance(self, percent: int) -> bool:
        """True in this percentage of calls."""
        return self.dice.randrange(100) < percent

    def fill(self, text: str) -> str:
        """A template with numbers and words."""
        values = {
            "n": self.dice.choice((0, 1, 2, 3, 5, 8, 40)),
            "z": self.dice.choice((0, 1, 2)),
            "w": self.dice.choice(WORDS),
            "v": self.dice.choice(self.variables or ["never"]),
            "before": self.dice.choice(self.variables or ["never"]),
        }
        return text.format(**values)

    def condition(self, depth: int = 2, *, with_variables: bool = True) -> str:
        """A condition, perhaps of several parts."""
        if self.chance(2):
            return self.fill(self.dice.choice(_WRONG))
        if self.chance(2):
            return self.fill(self.dice.choice(_LOOPS))
        if depth and self.chance(35):
            left, right = (self.condition(depth - 1, with_variables=with_variables) for _ in range(2))
            joined = self.dice.choice(("({}) && ({})", "({}) || ({})", "!({1}) || ({0})", "({}) ? ({}) : true"))
            return joined.format(left, right)
        if self.variables and with_variables and self.chance(40):
            return self.fill(self.dice.choice(_OF_VARIABLES))
        if self.has_params and self.chance(60):
            return self.fill(self.dice.choice(_PARAMS))
        return self.fill(self.dice.choice(_ODD if self.chance(35) else BOOLS))

    def text(self) -> str:
        """A text for a message or an annotation."""
        if self.variables and self.chance(25):
            return f"string(variables.{self.dice.choice(self.variables)})"
        return self.fill(self.dice.choice(_TEXTS))


def policy(number: int, seed: str) -> list[JSONObject]:
    """A policy and its bindings, for objects with the label ``slot`` of this number."""
    draw = Draw(random.Random(seed))
    draw.has_params = draw.chance(45)
    spec: JSONObject = {}
    if draw.has_params:
        spec["paramKind"] = _param_kind(draw)
    spec["matchConstraints"] = _match(draw, number)
    if draw.chance(15):
        spec["matchConstraints"]["excludeResourceRules"] = [_rule(draw, narrow=True)]
    for index in range(draw.dice.choice((0, 0, 1, 2, 3))):
        name = f"v{index}" if draw.chance(97) else draw.dice.choice(("v0", "in", "namespace", "with-dash"))
        template = draw.dice.choice(_VARIABLES)
        spec.setdefault("variables", []).append({"name": name, "expression": draw.fill(template)})
        if name.isalnum() and name not in {*draw.variables, "in"}:
            draw.variables.append(name)
    if draw.chance(30):
        spec["matchConditions"] = [
            {"name": f"c{index}", "expression": draw.condition(with_variables=False)} for index in range(draw.dice.choice((1, 2)))
        ]
    if draw.chance(25):
        spec["failurePolicy"] = draw.dice.choice(("Fail", "Ignore", "Ignore"))
    if draw.chance(95):
        spec["validations"] = [_validation(draw) for _ in range(draw.dice.choice((1, 1, 2, 3)))]
    if draw.chance(20) or "validations" not in spec:
        spec["auditAnnotations"] = [{"key": f"k{index}", "valueExpression": draw.text()} for index in range(draw.dice.choice((1, 2)))]
    name = f"p-{seed}"
    bindings = [_binding(draw, name, index, number) for index in range(draw.dice.choice((1, 1, 1, 2)))]
    return [{"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}, *bindings]


def _param_kind(draw: Draw) -> JSONObject:
    kinds = (
        ("v1", "ConfigMap"),
        (f"{GROUP}/v1", "Limit"),
        (f"{GROUP}/v2", "Limit"),
        (f"{GROUP}/v1", "Ceiling"),
        (f"{GROUP}/v1", "Nothing"),
    )
    version, kind = draw.dice.choices(kinds, (3, 5, 2, 4, 1))[0]
    return {"apiVersion": version, "kind": kind}


def _match(draw: Draw, number: int) -> JSONObject:
    match: JSONObject = {"resourceRules": [_rule(draw) for _ in range(draw.dice.choice((1, 1, 2)))]}
    if draw.chance(30):
        match["matchPolicy"] = draw.dice.choice(("Exact", "Equivalent"))
    if draw.chance(25):
        match["namespaceSelector"] = draw.dice.choice((
            {"matchLabels": {"env": "prod"}}, {"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]},
            {"matchLabels": {"kubernetes.io/metadata.name": "team-b"}}, {},
        ))  # fmt: skip
    match["objectSelector"] = {"matchLabels": {"slot": str(number)}}
    if draw.chance(10):
        more = {"key": "a", "operator": draw.dice.choice(("Exists", "DoesNotExist"))}
        match["objectSelector"]["matchExpressions"] = [more]
    return match


def _rule(draw: Draw, *, narrow: bool = False) -> JSONObject:
    resources = draw.dice.choice(
        (["widgets"], ["*"], ["widgets", "gadgets"], ["*/*"], ["widgets/scale"], ["widgets/*"], ["widgets", "widgets/status"])
    )
    rule: JSONObject = {
        "apiGroups": draw.dice.choice(([GROUP], ["*"], ["", GROUP])),
        "apiVersions": draw.dice.choice((["v1"], ["*"], ["v1beta1"], ["v1", "v1beta1"])),
        "operations": draw.dice.choice((["*"], ["CREATE", "UPDATE"], ["CREATE"], ["UPDATE"], ["DELETE", "CREATE"])),
        "resources": resources,
    }
    if draw.chance(15) or narrow:
        rule["scope"] = draw.dice.choice(("Namespaced", "Cluster", "*"))
    if draw.chance(8) or (narrow and draw.chance(60)):
        rule["resourceNames"] = draw.dice.choice((["w1", "s1", "s3"], ["s2", "new"], ["gen-"]))
    return rule


def _validation(draw: Draw) -> JSONObject:
    found: JSONObject = {"expression": draw.condition()}
    if draw.chance(40):
        found["message"] = draw.dice.choice(("too big", "  padded  ", "see https://example.com/a", "ünïcode", "<a&b>"))
    if draw.chance(40):
        found["messageExpression"] = draw.text()
    if draw.chance(30):
        found["reason"] = draw.dice.choices(("Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized"), (6, 3, 3, 1))[0]
    return found


def _binding(draw: Draw, name: str, index: int, number: int) -> JSONObject:
    actions = draw.dice.choices(
        (["Deny"], ["Warn"], ["Audit"], ["Deny", "Audit"], ["Warn", "Audit"], ["Deny", "Warn"], []), (10, 4, 3, 3, 3, 0.3, 0.3)
    )[0]
    spec: JSONObject = {"policyName": name, "validationActions": actions}
    if draw.has_params and draw.chance(92):
        spec["paramRef"] = _reference(draw)
    if draw.chance(15):
        spec["matchResources"] = _match(draw, number)
        if draw.chance(30):
            del spec["matchResources"]["resourceRules"]
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": f"{name}-{index}"}, "spec": spec}


def _reference(draw: Draw) -> JSONObject:
    found: JSONObject = {"parameterNotFoundAction": draw.dice.choice(("Deny", "Allow", "Deny"))}
    if draw.chance(60):
        found["name"] = draw.dice.choice(("limits", "limits", "settings", "low", "high", "empty", "more", "gone"))
    else:
        found["selector"] = draw.dice.choice(
            ({}, {"matchLabels": {"tier": "x"}}, {"matchLabels": {"tier": "y"}}, {"matchLabels": {"tier": "z"}})
        )
    if draw.chance(35):
        found["namespace"] = draw.dice.choice(("team-a", "team-b"))
    return found


def widget_spec(draw: Draw) -> JSONObject:
    """The spec of an object, with some of the fields."""
    dice = draw.dice
    makers: dict[str, Callable[[], object]] = {
        "size": lambda: dice.choice((0, 1, 2, 3, 4, 5, 8, 41)),
        "title": lambda: dice.choice(("a", "b", "red", "blue", "7", "1.2.3", "10s", "10.0.0.1", "https://red/x", "Ünï")),
        "enabled": lambda: draw.chance(50),
        "ratio": lambda: dice.choice((0.5, 1.5, 2, 3.25)),
        "memory": lambda: dice.choice(("1Gi", "20Gi", "500M", "lots")),
        "until": lambda: dice.choice(("2026-01-01T00:00:00Z", "2031-01-01T00:00:00Z")),
        "tags": lambda: dice.sample(("a", "b", "red", "blue", "x-1"), dice.randrange(4)),
        "parts": lambda: [_part(draw, name) for name in dice.sample(("a", "b", "w1"), dice.randrange(3))],
        "limits": lambda: {key: dice.choice((1, 3, 8)) for key in dice.sample(("cpu", "gpu", "a"), dice.randrange(3))},
        "port": lambda: dice.choice((1, 8, "a", "http")),
        "namespace": lambda: dice.choice(("a", "b")),
        "dash-ed": lambda: dice.choice(("a", "b")),
        "maybe": lambda: dice.choice((None, "a")),
        "free": lambda: dice.choice(({"a": {"b": 1}}, {"list": [1, 2]}, {"a": [], "x": None, "f": 1.5})),
    }
    return {key: make() for key, make in makers.items() if draw.chance(70)}


def _part(draw: Draw, name: str) -> JSONObject:
    found: JSONObject = {"name": name}
    if draw.chance(80):
        found["weight"] = draw.dice.choice((0, 1, 4, 9))
    if draw.chance(50):
        found["args"] = draw.dice.sample(("a", "b", "red"), draw.dice.randrange(3))
    return found


def body(draw: Draw, kind: str, number: int, version: str, namespace: str) -> JSONObject:
    """A new object of a slot."""
    labels = {"slot": str(number)} | ({"a": "red"} if draw.chance(30) else {})
    metadata: JSONObject = {"labels": labels}
    metadata |= {"generateName": "gen-"} if draw.chance(8) else {"name": draw.dice.choice(("w1", "new", "x-1"))}
    if namespace:
        metadata["namespace"] = namespace
    if draw.chance(30):
        metadata["annotations"] = {"a": draw.dice.choice(WORDS)}
    found: JSONObject = {"apiVersion": f"{GROUP}/{version}", "kind": kind, "metadata": metadata, "spec": widget_spec(draw)}
    if draw.chance(15):
        found["spec"]["unknown"] = 1
    return found


def status_body(draw: Draw, stored: JSONObject) -> JSONObject:
    """The body of a write to the status, which may change more than the status, or be wrong."""
    found: JSONObject = {**stored, "status": {"ready": draw.dice.choice((0, 1, 9)), "phase": "Ready"}}
    if draw.chance(30):
        found["status"] = draw.dice.choice((
            {"ready": "1"}, {"ready": 1.5}, {"unknown": 1, "ready": 9}, {"ready": None}, {}, None, [], "x",
        ))  # fmt: skip
    if draw.chance(30):
        found["spec"] = widget_spec(draw)
    if draw.chance(30):
        labels = draw.dice.choice(({"slot": "none"}, {**stored["metadata"].get("labels", {}), "a": "x"}))
        more = draw.dice.choice(({}, {"annotations": {"a": "red"}}, *ODD_METADATA))
        found["metadata"] = {**stored["metadata"], "labels": labels, **more}
    return found


def namespace(draw: Draw) -> str:
    """One of the namespaces."""
    return draw.dice.choice(tuple(NAMESPACES))
