// Asks kube-controller-manager's own type checker about policies. Every line of standard input is a world with policies: the resources
// that a server serves, the CustomResourceDefinitions among them, and ValidatingAdmissionPolicies. Every line of standard output has the
// warnings that the controller would write into the status of each policy.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsscheme "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/scheme"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes/scheme"
	clientopenapi "k8s.io/client-go/openapi"
	"k8s.io/client-go/restmapper"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

type resource struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
}

type question struct {
	Resources   []resource                                  `json:"resources"`
	Definitions []*apiextensionsv1.CustomResourceDefinition `json:"definitions"`
	Policies    []*admissionv1.ValidatingAdmissionPolicy    `json:"policies"`
}

type warning struct {
	FieldRef string `json:"fieldRef"`
	Warning  string `json:"warning"`
}

// document is the OpenAPI document of one group and version, as the server would publish it.
type document struct {
	spec *spec3.OpenAPI
}

func (d document) Schema(string) ([]byte, error) { return json.Marshal(d.spec) }
func (d document) ServerRelativeURL() string     { return "" }

// published has the documents by their paths. The resolver asks a discovery client for nothing else.
type published struct {
	discovery.DiscoveryInterface
	documents map[string]clientopenapi.GroupVersion
}

func (p published) OpenAPIV3() clientopenapi.Client                       { return p }
func (p published) Paths() (map[string]clientopenapi.GroupVersion, error) { return p.documents, nil }

func publish(definitions []*apiextensionsv1.CustomResourceDefinition) (published, error) {
	parts := map[string][]*spec3.OpenAPI{}
	for _, definition := range definitions {
		for _, version := range definition.Spec.Versions {
			if !version.Served {
				continue
			}
			part, err := builder.BuildOpenAPIV3(definition, version.Name, builder.Options{})
			if err != nil {
				return published{}, err
			}
			path := "apis/" + definition.Spec.Group + "/" + version.Name
			parts[path] = append(parts[path], part)
		}
	}
	found := published{documents: map[string]clientopenapi.GroupVersion{}}
	for path, all := range parts {
		merged, err := builder.MergeSpecsV3(all...)
		if err != nil {
			return published{}, err
		}
		found.documents[path] = document{merged}
	}
	return found, nil
}

// discovered gives the resources as discovery lists them, by group and version.
func discovered(resources []resource) []*restmapper.APIGroupResources {
	var groups []*restmapper.APIGroupResources
	places := map[string]*restmapper.APIGroupResources{}
	for _, each := range resources {
		group, known := places[each.Group]
		if !known {
			group = &restmapper.APIGroupResources{
				Group:              metav1.APIGroup{Name: each.Group},
				VersionedResources: map[string][]metav1.APIResource{},
			}
			places[each.Group] = group
			groups = append(groups, group)
		}
		if _, known := group.VersionedResources[each.Version]; !known {
			served := metav1.GroupVersionForDiscovery{Version: each.Version}
			group.Group.Versions = append(group.Group.Versions, served)
		}
		listed := metav1.APIResource{Name: each.Name, Kind: each.Kind}
		group.VersionedResources[each.Version] = append(group.VersionedResources[each.Version], listed)
	}
	return groups
}

func check(checker *validating.TypeChecker, policy *admissionv1.ValidatingAdmissionPolicy) (found []warning, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	found = []warning{}
	for _, each := range checker.Check(policy) {
		found = append(found, warning{each.FieldRef, each.Warning})
	}
	return found, nil
}

func answer(line []byte, definitions *resolver.DefinitionsSchemaResolver) (any, error) {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, err
	}
	documents, err := publish(asked.Definitions)
	if err != nil {
		return nil, err
	}
	checker := &validating.TypeChecker{
		SchemaResolver: definitions.Combine(&resolver.ClientDiscoveryResolver{Discovery: documents}),
		RestMapper:     restmapper.NewDiscoveryRESTMapper(discovered(asked.Resources)),
	}
	answers := []any{}
	for _, policy := range asked.Policies {
		found, err := check(checker, policy)
		if err != nil {
			answers = append(answers, map[string]string{"fault": err.Error()})
			continue
		}
		answers = append(answers, found)
	}
	return answers, nil
}

func run() error {
	definitions := resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, scheme.Scheme, apiextensionsscheme.Scheme)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<30)
	written := json.NewEncoder(os.Stdout)
	written.SetEscapeHTML(false)
	for lines.Scan() {
		found, err := answer(lines.Bytes(), definitions)
		if err != nil {
			return err
		}
		if err := written.Encode(found); err != nil {
			return err
		}
	}
	return errors.Join(lines.Err())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
