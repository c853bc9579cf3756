"""No door ever shows credentials, whichever rule quotes the image, the address or the argument."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.doors.cases import CASES
from tests.families.examples import example_cluster, example_request, examples
from tests.families.test_catalogue import RULES
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.credentials import BLANK, may_have_credentials, without_credentials, without_credentials_in
from weighbridge.policies.families import families
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.texts.logs import FIELDS, JSONFormatter

# One test goes through all examples and cases, once for each form.
pytestmark = pytest.mark.timeout(600)

SECRET = "SECRET-7-"
TOKEN = "hf_SECRETsecretSECRET1234"


def as_login(text: str) -> str:
    """An image or an address with a user and a password; the claim in the address of a volume isn't a host."""
    scheme, mark, rest = text.partition("://")
    if mark:
        return text if scheme == "pvc" else f"{scheme}://me:{SECRET}@{rest}"
    is_place = "/" in text and not text.startswith(("/", "-")) and " " not in text
    return f"me:{SECRET}@{text}" if is_place else text


def as_query(text: str) -> str:
    """An address that is signed."""
    return f"{text}?X-Amz-Signature={SECRET}" if "://" in text else text


def as_token(text: str) -> str:
    """A text with a token, which has a recognisable form."""
    return f"{text}/{TOKEN}" if "/" in text and " " not in text else text


def planted(value: JSONValue, form: Callable[[str], str]) -> JSONValue:
    """A value with credentials in every text that may have some."""
    if isinstance(value, dict):
        return {key: inner if key in {"apiVersion", "kind", "metadata"} else planted(inner, form) for key, inner in value.items()}
    if isinstance(value, list):
        return [planted(inner, form) for inner in value]
    return form(value) if isinstance(value, str) else value


def with_secret_values(value: JSONValue) -> JSONValue:
    """A value whose variables and arguments are secret by their names."""
    if isinstance(value, dict):
        found = {key: with_secret_values(inner) for key, inner in value.items()}
        for key, inner in found.items():
            if (
                key.lower().endswith(("args", "command", "flags"))
                and isinstance(inner, list)
                and all(isinstance(one, str) for one in inner)
            ):
                found[key] = [*inner, "--api-key", f"{SECRET}a", f"--hf-token={SECRET}b", f"{SECRET}c", f"TOKEN={SECRET}d"]
        return found
    return [with_secret_values(inner) for inner in value] if isinstance(value, list) else value


def judged() -> Iterator[tuple[str, Request, list[JSONObject], Configuration]]:
    """Every example of every rule, and every case."""
    for family, rule in RULES:
        for text in (examples(rule).good, examples(rule).bad):
            yield family.name, example_request(family, rule, text), example_cluster(rule), parse(examples(rule).config)
    for case in CASES:
        yield case.folder.parent.name, case.request(), case.cluster or [], case.configuration()


def said(decision: Decision) -> str:
    """All texts of a decision, except for the stored object and the prediction."""
    placement = [decision.placement.message, *decision.placement.nearest] if decision.placement is not None else []
    return json.dumps(
        [
            decision.message,
            list(decision.causes),
            list(decision.warnings),
            [finding.as_json() for finding in decision.findings],
            [entry.as_json() for entry in decision.unchecked],
            [entry.as_json() for entry in decision.provenance],
            decision.audit_annotations,
            placement,
        ],
        default=str,
    )


@pytest.mark.parametrize("change", [as_login, as_query, as_token, with_secret_values], ids=lambda change: change.__name__)
def test_no_verdict_of_any_family_says_a_credential(change: Callable[..., JSONValue]) -> None:
    told: dict[str, str] = {}
    spoken: set[str] = set()
    secret = TOKEN if change is as_token else SECRET
    for name, request, cluster, config in judged():
        whole: Callable[[JSONValue], JSONValue] = (
            with_secret_values if change is with_secret_values else lambda value: planted(value, change)
        )
        asked = replace(request, object=whole(copy.deepcopy(request.object)), old_object=whole(copy.deepcopy(request.old_object)))
        facts = from_objects([whole(copy.deepcopy(obj)) for obj in cluster], bundled_definitions(config))
        for phase in (Phase.WHOLE, Phase.VALIDATE):
            words = said(decide(replace(asked), facts, config, phase))
            if secret in words:
                at = words.index(secret)
                told.setdefault(words[max(0, at - 120) : at + 40], f"{name} {request.gvk.kind}")
            if BLANK in words:
                spoken.add(name)
    assert told == {}
    if change is as_login:
        assert spoken == {family.name for family in families()}, "a family whose rules quote nothing shows nothing"


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ('"me:SECRET@ghcr.io/a/b:1" can\'t be read', f'"{BLANK}@ghcr.io/a/b:1" can\'t be read'),
        ("from hf://me:SECRET@org/model, it says", f"from hf://{BLANK}@org/model, it says"),
        ("s3://AKIA:a/SE+CRET@bucket/x is incomplete", f"s3://{BLANK}@bucket/x is incomplete"),
        ("limits[me:SECRET@amd.com/gpu]: bad", f"limits[{BLANK}@amd.com/gpu]: bad"),
        ("{image: me:SECRET@host/a}", f"{{image: {BLANK}@host/a}}"),
        ("mirror/library/me:SECRET@a/b", f"mirror/library/{BLANK}@a/b"),
        ("GET https://host/m.gguf?sig=SECRET&x=SECRET: 403", f"GET https://host/m.gguf?sig={BLANK}&x={BLANK}: 403"),
        ("no flag --api-key=SECRET", f"no flag --api-key={BLANK}"),
        ("header Bearer SECRETsecret1234 is sent", f"header Bearer {BLANK} is sent"),
        ("given hf_SECRETsecretSECRET1234, as", f"given {BLANK}, as"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SECRET", BLANK),
        # Texts that only look like credentials.
        ("ghcr.io/a/b:server@sha256:0123456789abcdef is older", "ghcr.io/a/b:server@sha256:0123456789abcdef is older"),
        ("https://host:8080/path@v1/model.gguf", "https://host:8080/path@v1/model.gguf"),
        (
            "failed rule: self.token==oldSelf.token || has(self.x) ? self.a : self.b",
            "failed rule: self.token==oldSelf.token || has(self.x) ? self.a : self.b",
        ),
        ("AIMArtifact hf---acme-llama-2ab365c85d is Failed", "AIMArtifact hf---acme-llama-2ab365c85d is Failed"),
        ('secret "hf-token" isn\'t there: create it', 'secret "hf-token" isn\'t there: create it'),
        ("basic authentication is needed", "basic authentication is needed"),
        (
            "node a has the taint k=v:NoSchedule (toleration: {key: k, operator: Exists})",
            "node a has the taint k=v:NoSchedule (toleration: {key: k, operator: Exists})",
        ),
    ],
)
def test_credentials_go_out_of_a_sentence_and_the_rest_stays(words: str, kept: str) -> None:
    assert HiddenCredentials().words(words) == kept
    assert without_credentials_in(kept) == kept


@pytest.mark.parametrize(
    "code",
    [
        "object.spec.?size.orValue(1)<=1",
        "object.spec.?size.orValue(1)!=2",
        "has(object.spec.size)&&object.spec.size>=5",
        "object.spec.size>5?object.spec.size<=6:false",
        "object.metadata.?annotations[?'auth-token'].orValue('')=='y'",
    ],
)
def test_a_comparison_in_cel_is_no_value_of_a_query(code: str) -> None:
    assert HiddenCredentials().words(f"failed expression: {code}") == f"failed expression: {code}"


@pytest.mark.parametrize(
    ("api_version", "kept"),
    [("admissionregistration.k8s.io/v1", True), ("apiextensions.k8s.io/v1", True), ("example.com/v1", False)],
)
@pytest.mark.parametrize("code", ["object.spec.?size.orValue(1) <= 1 && foo", "object.metadata.annotations.token == 'x' && foo"])
def test_an_expression_of_a_policy_is_quoted_as_it_is(api_version: str, code: str, kept: bool) -> None:
    policy = {"apiVersion": api_version, "spec": {"validations": [{"expression": code, "message": f"see https://me:{SECRET}@host/a"}]}}
    hidden = HiddenCredentials(policy)
    assert (hidden.words(f"Invalid value: {code}") == f"Invalid value: {code}") is kept
    assert SECRET not in hidden.words(f"it says: see https://me:{SECRET}@host/a")
    assert TOKEN not in hidden.words(f"Invalid value: object.spec.x == '{TOKEN}'")


@pytest.mark.parametrize("sign", ["a:,", "://a:", "hf://", "[a:"])
def test_a_run_that_is_longer_than_any_address_is_not_searched(sign: str) -> None:
    # A regular expression that searches for the end of a login from each of many starts would take minutes here.
    words = f"{sign * 200_000}@h is bad"
    assert without_credentials_in(words) == f"{BLANK} is bad"


def test_a_login_ends_with_its_word() -> None:
    assert without_credentials_in("a:b c@d 'e:f@g' h:i\n@j") == f"a:b c@d '{BLANK}@g' h:i\n@j"


def test_a_text_of_the_object_is_quoted_as_a_redacted_snapshot_has_it() -> None:
    source = "https://host/m.gguf#SECRET"
    discretion = HiddenCredentials({"spec": {"source": source, "list": [{"password": "user=me; api-key=SECRET"}]}})
    finding = Finding("R-1", Severity.ERROR, ("spec", "labels", "me:SECRET@x/y"), f'"{source}" is bad', hint=f"not {source}", found=source)
    hidden = discretion.finding(finding)
    assert (hidden.message, hidden.hint, hidden.found) == (
        f'"https://host/m.gguf#{BLANK}" is bad',
        f"not https://host/m.gguf#{BLANK}",
        f"https://host/m.gguf#{BLANK}",
    )
    assert (hidden.path, hidden.field) == (finding.path, f"spec.labels.{BLANK}@x/y")
    assert "SECRET" not in discretion.words("given user=me; api-key=SECRET as it is")
    assert without_credentials(source) in hidden.message


def test_what_is_looked_for_in_a_sentence_is_never_missed_by_the_first_look() -> None:
    for text in (
        "me:S@h",
        "https://h?S",
        "https://h#S",
        "a;b=S",
        "password: S",
        '{"token": "S"}',
        "Basic Uw==",
        "hf_SECRETsecretSECRET1",
        "AKIASECRETSECRETSECR",
    ):
        assert may_have_credentials(text) or without_credentials(text) == text


def test_a_line_of_the_log_has_no_credentials() -> None:
    record = logging.LogRecord("a", logging.ERROR, "", 1, "no %s", ("https://me:SECRET@host/x",), None)
    setattr(record, FIELDS, {"reason": "GET s3://K:SECRET@b failed", "count": 3, "list": ["me:SECRET@ghcr.io/a"]})
    error = ValueError("me:SECRET@ghcr.io/a isn't an image")
    record.exc_info = (ValueError, error, error.__traceback__)
    line = JSONFormatter().format(record)
    assert "SECRET" not in line
    assert json.loads(line)["message"] == f"no https://{BLANK}@host/x"
    assert json.loads(line)["count"] == 3
