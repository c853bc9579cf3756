// Asks the API server's own code about the rules of a schema. Every line of standard input is a schema with rules, and objects;
// every line of standard output is what compiling says of the rules at its root, and what all rules say of each object, with costs.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"reflect"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type question struct {
	Schema  json.RawMessage   `json:"schema"`
	Objects []json.RawMessage `json:"objects"`
}

type verdict struct {
	Error          string `json:"error"`
	MessageError   string `json:"messageError"`
	MaxCost        uint64 `json:"maxCost"`
	MessageMaxCost uint64 `json:"messageMaxCost"`
}

type result struct {
	Errors []string `json:"errors"`
	Cost   int64    `json:"cost"`
}

type answer struct {
	Fault   string    `json:"fault"`
	Rules   []verdict `json:"rules"`
	Objects []result  `json:"objects"`
}

// environments gives the base environments of this release. Before 1.35 a second argument asks for strict costs.
func environments() *environment.EnvSet {
	function := reflect.ValueOf(environment.MustBaseEnvSet)
	arguments := []reflect.Value{reflect.ValueOf(environment.DefaultCompatibilityVersion())}
	if function.Type().NumIn() > 1 {
		arguments = append(arguments, reflect.ValueOf(true))
	}
	return function.Call(arguments)[0].Interface().(*environment.EnvSet)
}

func structural(raw json.RawMessage) (*schema.Structural, error) {
	var external apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(raw, &external); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(&internal)
}

func judge(asked question, base *environment.EnvSet) answer {
	found := answer{Rules: []verdict{}, Objects: []result{}}
	root, err := structural(asked.Schema)
	if err != nil {
		found.Fault = err.Error()
		return found
	}
	compiled, err := cel.Compile(root, model.SchemaDeclType(root, true), celconfig.PerCallLimit, base, cel.NewExpressionsEnvLoader())
	if err != nil {
		found.Fault = err.Error()
		return found
	}
	for _, rule := range compiled {
		said := verdict{MaxCost: rule.MaxCost, MessageMaxCost: rule.MessageExpressionMaxCost}
		if rule.Error != nil {
			said.Error = rule.Error.Detail
		}
		if rule.MessageExpressionError != nil {
			said.MessageError = rule.MessageExpressionError.Detail
		}
		found.Rules = append(found.Rules, said)
	}
	validator := cel.NewValidator(root, true, celconfig.PerCallLimit)
	for _, raw := range asked.Objects {
		var object map[string]interface{}
		if err := utiljson.Unmarshal(raw, &object); err != nil {
			found.Fault = err.Error()
			return found
		}
		errs, left := validator.Validate(context.Background(), nil, root, object, nil, celconfig.RuntimeCELCostBudget)
		said := result{Errors: []string{}, Cost: celconfig.RuntimeCELCostBudget - left}
		for _, one := range errs {
			said.Errors = append(said.Errors, one.Error())
		}
		found.Objects = append(found.Objects, said)
	}
	return found
}

func main() {
	base := environments()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := out.Encode(judge(asked, base)); err != nil {
			panic(err)
		}
	}
}
