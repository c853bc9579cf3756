"""How the API server prints the parts of a CRD in its errors; Go printed the expected texts from the server's own types."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.acceptance.go_struct_text import items_text, rule_text, schema_text, versions_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue

LEAF: JSONObject = {"type": "string"}
SCHEMA: JSONObject = {
    "id": "i",
    "$schema": "s",
    "$ref": "r",
    "description": "d<",
    "type": "object",
    "nullable": True,
    "format": "f",
    "title": "t",
    "default": {"b": 1, "a": [2]},
    "maximum": 1.5,
    "exclusiveMaximum": True,
    "minimum": 0,
    "exclusiveMinimum": True,
    "maxLength": 1,
    "minLength": 0,
    "pattern": "p",
    "maxItems": 2,
    "minItems": 1,
    "uniqueItems": True,
    "multipleOf": 3,
    "enum": ["e", 1, None],
    "maxProperties": 5,
    "minProperties": 4,
    "required": ["z", "y"],
    "items": LEAF,
    "allOf": [LEAF],
    "oneOf": [LEAF, {}],
    "anyOf": [{}],
    "not": LEAF,
    "properties": {"b": LEAF, "a": {"items": [LEAF, {}]}},
    "additionalProperties": LEAF,
    "patternProperties": {"x": {"additionalProperties": False}},
    "dependencies": {"k": ["l"], "j": LEAF, "m": []},
    "additionalItems": True,
    "definitions": {"q": {"additionalItems": LEAF}},
    "externalDocs": {"description": "ed", "url": "eu"},
    "example": "ex",
    "x-kubernetes-preserve-unknown-fields": True,
    "x-kubernetes-embedded-resource": True,
    "x-kubernetes-int-or-string": True,
    "x-kubernetes-list-map-keys": ["lk"],
    "x-kubernetes-list-type": "map",
    "x-kubernetes-map-type": "atomic",
    "x-kubernetes-validations": [
        {
            "rule": "self",
            "message": "m",
            "messageExpression": "me",
            "reason": "FieldValueInvalid",
            "fieldPath": ".a",
            "optionalOldSelf": True,
        },
        {"rule": "true"},
    ],
}
VERSIONS: list[JSONObject] = [
    {
        "name": "v1",
        "served": True,
        "storage": True,
        "deprecated": True,
        "deprecationWarning": "w",
        "schema": {"openAPIV3Schema": LEAF},
        "subresources": {
            "status": {},
            "scale": {"specReplicasPath": ".spec.r", "statusReplicasPath": ".status.r", "labelSelectorPath": ".status.s"},
        },
        "additionalPrinterColumns": [
            {"name": "n", "type": "t", "format": "f", "description": "d", "priority": 1, "jsonPath": ".a"},
            {"name": "m", "type": "u", "jsonPath": ".b"},
        ],
        "selectableFields": [{"jsonPath": ".c"}],
    },
    {"name": "v2", "served": False, "storage": False, "schema": {"openAPIV3Schema": SCHEMA}},
    {"name": "v3", "served": False, "storage": False, "subresources": {"scale": {"specReplicasPath": ".a", "statusReplicasPath": ".b"}}},
]
#: A schema in which nothing is set.
BARE = (
    '{"ID":"","Schema":"","Ref":null,"Description":"","Type":"","Nullable":false,"Format":"","Title":"","Default":null,'
    '"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,'
    '"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,'
    '"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,'
    '"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,'
    '"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,'
    '"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}'
)
STRING = BARE.replace('"Type":""', '"Type":"string"')
#: The whole CRD, and its versions, with names in place of their schemas.
WHOLE = (
    '{"ID":"i","Schema":"s","Ref":"r","Description":"d\\u003c","Type":"object","Nullable":true,"Format":"f","Title":"t",'
    '"Default":{"a":[2],"b":1},"Maximum":1.5,"ExclusiveMaximum":true,"Minimum":0,"ExclusiveMinimum":true,"MaxLength":1,'
    '"MinLength":0,"Pattern":"p","MaxItems":2,"MinItems":1,"UniqueItems":true,"MultipleOf":3,"Enum":["e",1,null],'
    '"MaxProperties":5,"MinProperties":4,"Required":["z","y"],"Items":{"Schema":LEAF,"JSONSchemas":null},"AllOf":[LEAF],'
    '"OneOf":[LEAF,BARE],"AnyOf":[BARE],"Not":LEAF,"Properties":{"a":WITH_ITEMS,"b":LEAF},"AdditionalProperties":{"Allows":true,'
    '"Schema":LEAF},"PatternProperties":{"x":CLOSED},"Dependencies":{"j":{"Schema":LEAF,"Property":null},"k":{"Schema":null,'
    '"Property":["l"]},"m":{"Schema":null,"Property":[]}},"AdditionalItems":{"Allows":true,"Schema":null},'
    '"Definitions":{"q":WITH_MORE},"ExternalDocs":{"Description":"ed","URL":"eu"},"Example":"ex","XPreserveUnknownFields":true,'
    '"XEmbeddedResource":true,"XIntOrString":true,"XListMapKeys":["lk"],"XListType":"map","XMapType":"atomic",'
    '"XValidations":[{"Rule":"self","Message":"m","MessageExpression":"me","Reason":"FieldValueInvalid","FieldPath":".a",'
    '"OptionalOldSelf":true},{"Rule":"true","Message":"","MessageExpression":"","Reason":null,"FieldPath":"",'
    '"OptionalOldSelf":null}]}'
)
ALL = (
    '[{"Name":"v1","Served":true,"Storage":true,"Deprecated":true,"DeprecationWarning":"w","Schema":{"OpenAPIV3Schema":LEAF},'
    '"Subresources":{"Status":{},"Scale":{"SpecReplicasPath":".spec.r","StatusReplicasPath":".status.r",'
    '"LabelSelectorPath":".status.s"}},"AdditionalPrinterColumns":[{"Name":"n","Type":"t","Format":"f","Description":"d",'
    '"Priority":1,"JSONPath":".a"},{"Name":"m","Type":"u","Format":"","Description":"","Priority":0,"JSONPath":".b"}],'
    '"SelectableFields":[{"JSONPath":".c"}]},{"Name":"v2","Served":false,"Storage":false,"Deprecated":false,'
    '"DeprecationWarning":null,"Schema":{"OpenAPIV3Schema":WHOLE},"Subresources":null,"AdditionalPrinterColumns":null,'
    '"SelectableFields":null},{"Name":"v3","Served":false,"Storage":false,"Deprecated":false,"DeprecationWarning":null,'
    '"Schema":null,"Subresources":{"Status":null,"Scale":{"SpecReplicasPath":".a","StatusReplicasPath":".b",'
    '"LabelSelectorPath":null}},"AdditionalPrinterColumns":null,"SelectableFields":null}]'
)


def filled(text: str) -> str:
    """The text with its names replaced."""
    parts = {
        "WITH_ITEMS": BARE.replace('"Items":null', '"Items":{"Schema":null,"JSONSchemas":[LEAF,BARE]}'),
        "CLOSED": BARE.replace('"AdditionalProperties":null', '"AdditionalProperties":{"Allows":false,"Schema":null}'),
        "WITH_MORE": BARE.replace('"AdditionalItems":null', '"AdditionalItems":{"Allows":true,"Schema":LEAF}'),
        "BARE": BARE,
        "LEAF": STRING,
    }
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def test_a_schema_is_printed_with_all_its_fields() -> None:
    assert schema_text({}) == BARE
    assert schema_text(LEAF) == STRING
    assert schema_text(SCHEMA) == filled(WHOLE)


def test_versions_are_printed_without_what_stands_in_the_spec() -> None:
    assert versions_text(VERSIONS) == filled(ALL.replace("WHOLE", WHOLE))
    assert versions_text(None) == "null"
    assert versions_text([]) == "[]"


@pytest.mark.parametrize(
    ("items", "text"),
    [
        (LEAF, '{"Schema":LEAF,"JSONSchemas":null}'),
        ([LEAF, {}], '{"Schema":null,"JSONSchemas":[LEAF,BARE]}'),
        ([], '{"Schema":null,"JSONSchemas":[]}'),
        (None, '{"Schema":null,"JSONSchemas":null}'),
    ],
)
def test_items_are_one_schema_or_a_list(items: JSONValue, text: str) -> None:
    assert items_text(items) == filled(text)


def test_a_rule_is_printed_with_what_it_does_not_have() -> None:
    nothing = '{"Rule":"","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}'
    assert rule_text({}) == nothing
    assert rule_text({"rule": "self > 1 && true"}) == nothing.replace('"Rule":""', r'"Rule":"self \u003e 1 \u0026\u0026 true"')
