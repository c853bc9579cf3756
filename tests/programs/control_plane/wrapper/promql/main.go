// Evaluates PromQL with Prometheus' own engine: samples and expressions come as JSON on standard input, results go to standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

type series struct {
	Labels  map[string]string `json:"labels"`
	Samples [][2]*float64     `json:"samples"` // milliseconds and value; null where the series has ended
}

type input struct {
	Series      []series  `json:"series"`
	Expressions []string  `json:"expressions"`
	Times       []float64 `json:"times"` // milliseconds
}

type sample struct {
	Labels map[string]string `json:"labels"`
	Value  string            `json:"value"`
}

// number is one sample as the storage gives it.
type number struct {
	t int64
	f float64
}

func (n number) T() int64                    { return n.t }
func (number) ST() int64                     { return 0 }
func (n number) F() float64                  { return n.f }
func (number) H() *histogram.Histogram       { return nil }
func (number) FH() *histogram.FloatHistogram { return nil }
func (number) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (n number) Copy() chunks.Sample         { return n }

type memory struct{ all []storage.Series }

func (m memory) Querier(_, _ int64) (storage.Querier, error) { return querier{m.all}, nil }

type querier struct{ all []storage.Series }

func (q querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	var found []storage.Series
	for _, one := range q.all {
		matches := true
		for _, matcher := range matchers {
			matches = matches && matcher.Matches(one.Labels().Get(matcher.Name))
		}
		if matches {
			found = append(found, one)
		}
	}
	return &set{found: found, at: -1}
}

func (querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (querier) Close() error { return nil }

type set struct {
	found []storage.Series
	at    int
}

func (s *set) Next() bool                      { s.at++; return s.at < len(s.found) }
func (s *set) At() storage.Series              { return s.found[s.at] }
func (*set) Err() error                        { return nil }
func (*set) Warnings() annotations.Annotations { return nil }

func stored(given []series) []storage.Series {
	var all []storage.Series
	for _, one := range given {
		var samples []chunks.Sample
		for _, pair := range one.Samples {
			found := math.Float64frombits(value.StaleNaN)
			if pair[1] != nil {
				found = *pair[1]
			}
			samples = append(samples, number{int64(*pair[0]), found})
		}
		all = append(all, storage.NewListSeries(labels.FromMap(one.Labels), samples))
	}
	sort.Slice(all, func(i, j int) bool { return labels.Compare(all[i].Labels(), all[j].Labels()) < 0 })
	return all
}

func evaluated(engine *promql.Engine, data memory, expression string, at int64) ([]sample, error) {
	query, err := engine.NewInstantQuery(context.Background(), data, nil, expression, time.UnixMilli(at))
	if err != nil {
		return nil, err
	}
	defer query.Close()
	result := query.Exec(context.Background())
	if result.Err != nil {
		return nil, result.Err
	}
	found := []sample{}
	switch result := result.Value.(type) {
	case promql.Vector:
		for _, one := range result {
			found = append(found, sample{one.Metric.Map(), fmt.Sprint(one.F)})
		}
	case promql.Scalar:
		found = append(found, sample{map[string]string{}, fmt.Sprint(result.V)})
	default:
		return nil, fmt.Errorf("%s gives a %s", expression, result.Type())
	}
	return found, nil
}

func run() error {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 10_000_000, Timeout: time.Minute, LookbackDelta: 5 * time.Minute})
	data := memory{stored(given.Series)}
	results := make([][][]sample, len(given.Expressions))
	for i, expression := range given.Expressions {
		for _, at := range given.Times {
			found, err := evaluated(engine, data, expression, int64(at))
			if err != nil {
				return err
			}
			results[i] = append(results[i], found)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(results)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
