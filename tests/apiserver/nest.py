"""A custom resource with embedded objects in all places that allow them."""

from __future__ import annotations

from tests.yaml_documents import read
from weighbridge.policies.ground.objects import JSONObject

NEST_CRD: JSONObject = read("""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nests.weighbridge.test}
spec:
  group: weighbridge.test
  scope: Namespaced
  names: {plural: nests, singular: nest, kind: Nest, listKind: NestList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          metadata:
            type: object
            properties:
              name: {type: string, maxLength: 30, pattern: '^[a-z.-]*$'}
          spec:
            type: object
            properties:
              mode: {type: string, default: auto}
              gone: {type: string, nullable: true}
              strict:
                type: object
                x-kubernetes-embedded-resource: true
                properties:
                  apiVersion: {type: string, maxLength: 12}
                  kind: {type: string, enum: [Pod, Job, "A b"]}
                  metadata:
                    type: object
                    properties:
                      name: {type: string, maxLength: 5}
                      labels: {type: object, additionalProperties: {type: string}, maxProperties: 2}
                  spec: {type: object, properties: {a: {type: string}, n: {type: integer}}}
              free:
                type: object
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
                properties:
                  inner:
                    type: object
                    x-kubernetes-embedded-resource: true
                    x-kubernetes-preserve-unknown-fields: true
                  plain: {type: object, properties: {x: {type: integer}}}
              items:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [kind]
                items:
                  type: object
                  required: [kind]
                  x-kubernetes-embedded-resource: true
                  x-kubernetes-preserve-unknown-fields: true
                  properties:
                    kind: {type: string}
                    deeper:
                      type: array
                      items: {type: object, x-kubernetes-embedded-resource: true, properties: {data: {type: string}}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              byName:
                type: object
                additionalProperties:
                  type: object
                  x-kubernetes-embedded-resource: true
                  properties:
                    spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
              nullableTemplate:
                type: object
                nullable: true
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              phase: {type: string, default: New}
    subresources: {status: {}}
""")
