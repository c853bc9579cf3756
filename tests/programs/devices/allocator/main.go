// Asks the scheduler's own allocator. Every line of standard input is a cluster with claims, or a device with selectors;
// every line of standard output is what becomes of it, node by node or selector by selector.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/kubernetes/pkg/features"
)

// How long to wait for an answer, and for one to a question that was answered before.
const patience, again = 2 * time.Second, 300 * time.Millisecond

const timedOut = "timed out"

// failedOnNode is the one error that is about a node alone. Not all releases have a value for it.
const failedOnNode = "invalid resource pools were encountered"

type question struct {
	Nodes     []*corev1.Node
	Slices    []*resourcev1.ResourceSlice
	Classes   []*resourcev1.DeviceClass
	Claims    []*resourcev1.ResourceClaim
	Allocated []*resourcev1.ResourceClaim
	// Times is how often to ask, with the slices in another order each time.
	Times int

	Driver    string
	Device    *resourcev1.Device
	Selectors []string
}

type answer struct {
	Reason  string     `json:"reason"`
	Error   string     `json:"error"`
	Devices [][]string `json:"devices"`
}

type classes map[string]*resourcev1.DeviceClass

func (c classes) List() ([]*resourcev1.DeviceClass, error) {
	return nil, errors.New("nobody lists classes")
}

func (c classes) Get(name string) (*resourcev1.DeviceClass, error) {
	if class, found := c[name]; found {
		return class, nil
	}
	return nil, fmt.Errorf("deviceclass.resource.k8s.io %q not found", name)
}

func main() {
	cache := cel.NewCache(100, cel.Features{EnableConsumableCapacity: true})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fail(err)
		}
		var found any
		if asked.Device != nil {
			found = selected(asked, cache)
		} else {
			found = allocated(asked, cache)
		}
		if err := out.Encode(found); err != nil {
			fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func selected(asked question, cache *cel.Cache) []string {
	device := cel.Device{
		Driver:                   asked.Driver,
		AllowMultipleAllocations: asked.Device.AllowMultipleAllocations,
		Attributes:               asked.Device.Attributes,
		Capacity:                 asked.Device.Capacity,
	}
	found := make([]string, 0, len(asked.Selectors))
	for _, selector := range asked.Selectors {
		compiled := cache.GetOrCompile(selector)
		if compiled.Error != nil {
			found = append(found, "CEL compile error: "+compiled.Error.Error())
			continue
		}
		matches, _, err := compiled.DeviceMatches(context.Background(), device)
		if err != nil {
			found = append(found, "CEL runtime error: "+err.Error())
			continue
		}
		found = append(found, fmt.Sprint(matches))
	}
	return found
}

func allocated(asked question, cache *cel.Cache) map[string][]answer {
	known := classes{}
	for _, class := range asked.Classes {
		known[class.Name] = class
	}
	found := map[string][]answer{}
	order := rand.New(rand.NewPCG(1, 2))
	for _, node := range asked.Nodes {
		answers := []answer{onNode(asked, node, known, cache, patience)}
		for range asked.Times {
			if answers[len(answers)-1].Error == timedOut {
				break
			}
			order.Shuffle(len(asked.Slices), func(i, j int) { asked.Slices[i], asked.Slices[j] = asked.Slices[j], asked.Slices[i] })
			other := onNode(asked, node, known, cache, again)
			if !slices.ContainsFunc(answers, func(known answer) bool { return reflect.DeepEqual(known, other) }) {
				answers = append(answers, other)
			}
		}
		found[node.Name] = answers
	}
	return found
}

func onNode(asked question, node *corev1.Node, known classes, cache *cel.Cache, limit time.Duration) answer {
	allocator, err := structured.NewAllocator(context.Background(), usual(), held(asked.Allocated), known, asked.Slices, cache)
	if err != nil {
		fail(err)
	}
	limited, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	results, err := allocator.Allocate(limited, node, asked.Claims)
	found := answer{Devices: [][]string{}}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		found.Error = timedOut
	case err != nil && err.Error() == failedOnNode:
		found.Reason = err.Error()
	case err != nil:
		found.Error = err.Error()
	case len(results) != len(asked.Claims):
		found.Reason = "cannot allocate all claims"
	}
	for number, result := range results {
		for _, device := range result.Devices.Results {
			id := structured.MakeDeviceID(device.Driver, device.Pool, device.Device)
			found.Devices = append(found.Devices, []string{asked.Claims[number].Name, device.Request, id.String()})
		}
	}
	return found
}

// usual has the features that are on by default in this release. Releases name them differently, so each is looked for.
func usual() structured.Features {
	isOn := utilfeature.DefaultFeatureGate.Enabled
	binds := isOn(features.DRADeviceBindingConditions)
	reports := isOn(features.DRAResourceClaimDeviceStatus)
	found := structured.Features{}
	into := reflect.ValueOf(&found).Elem()
	for name, value := range map[string]bool{
		"AdminAccess":            isOn(features.DRAAdminAccess),
		"ConsumableCapacity":     isOn(features.DRAConsumableCapacity),
		"DeviceBinding":          binds,
		"DeviceStatus":           reports,
		"DeviceBindingAndStatus": binds && reports,
		"DeviceTaints":           isOn(features.DRADeviceTaints),
		"PartitionableDevices":   isOn(features.DRAPartitionableDevices),
		"PrioritizedList":        isOn(features.DRAPrioritizedList),
	} {
		if field := into.FieldByName(name); field.IsValid() {
			field.SetBool(value)
		}
	}
	return found
}

// held is what the scheduler's plugin gathers from allocated claims; that part of it isn't exported.
func held(claims []*resourcev1.ResourceClaim) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		for _, result := range claim.Status.Allocation.Devices.Results {
			id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			switch {
			case result.AdminAccess != nil && *result.AdminAccess:
			case result.ShareID == nil:
				state.AllocatedDevices.Insert(id)
			default:
				state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
				if result.ConsumedCapacity != nil {
					state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
				}
			}
		}
	}
	return state
}
