// Package xcshape reads rate limits out of objects as F5 Distributed Cloud (XC)
// shapes them: answers of its API, and resources and data sources of the two
// Terraform providers, volterra and f5xc.
//
// The three differ in small ways. The API and f5xc write a nested block as an
// object, volterra as a list of at most one object; what is not set is absent in
// the API, null in f5xc, and null, 0, false or an empty list in volterra; a
// choice without content is an empty object or, in volterra, true at times. The
// readers of this package take all three alike.
package xcshape

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// Unknown stands in a tree for a value that becomes known only during apply.
type Unknown struct{}

// Node is one value of a tree and the path that leads to it. Value is nil
// (null or absent), bool, string, *big.Float, []any (list, set or tuple),
// map[string]any (object or map) or [Unknown].
type Node struct {
	Value any
	Path  calc.Path
}

// Attr returns the attribute of an object: null where the object has none, or
// where the node is no object at all, and unknown where the node is unknown.
func (n Node) Attr(name string) Node {
	child := Node{Path: n.below(name)}
	switch v := n.Value.(type) {
	case map[string]any:
		child.Value = v[name]
	case Unknown:
		child.Value = v
	}
	return child
}

func (n Node) below(step any) calc.Path {
	return append(slices.Clip(n.Path), step)
}

// IsUnset reports whether XC takes the value as not given: null, 0, "", false
// and an empty list are, and so is a list of nothing but null. An empty object is
// not: it chooses.
func (n Node) IsUnset() bool {
	switch v := n.Value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case *big.Float:
		return v.Sign() == 0
	case []any:
		for _, e := range v {
			if e != nil {
				return false
			}
		}
		return true
	}
	return false
}

// Reader reads nodes as XC would and collects what is wrong with them. What it
// returns is null where the node [Node.IsUnset], and unknown where the node is
// unknown or, so that one fault is told once, where it added a problem. So a
// result is right only while Problems is empty.
type Reader struct{ Problems []calc.Problem }

// Refuse adds a problem with the node.
func (r *Reader) Refuse(n Node, summary, detail string) {
	r.Problems = append(r.Problems, calc.Problem{Path: n.Path, Summary: summary, Detail: detail})
}

// Root reads what a user hands over as one XC object: the object, a list that
// holds it alone, or JSON text of either.
func (r *Reader) Root(value any) calc.Value[Node] {
	n := Node{Value: value}
	if text, ok := value.(string); ok {
		v, err := ParseJSON(text)
		if err != nil {
			r.Refuse(n, "Not JSON", "A text is read as the JSON of an XC object, and this one is none: "+err.Error()+".")
			return calc.Unknown[Node]()
		}
		n.Value = v
	}
	return r.Block(n)
}

// Block reads a nested block: an object, or a list of at most one object.
func (r *Reader) Block(n Node) calc.Value[Node] {
	if list, ok := n.Value.([]any); ok && !n.IsUnset() {
		if len(list) > 1 {
			r.Refuse(n, "More than one entry", fmt.Sprintf("XC takes at most one entry here, and this list holds %d. Pass the one that is meant.", len(list)))
			return calc.Unknown[Node]()
		}
		n = Node{list[0], n.below(0)}
	}
	switch n.Value.(type) {
	case map[string]any:
		return calc.Known(n)
	case Unknown:
		return calc.Unknown[Node]()
	}
	return wrongTypeUnlessUnset[Node](r, n, "an object, or a list of at most one object")
}

// List reads a list of any length. Its elements keep their order.
func (r *Reader) List(n Node) calc.Value[[]Node] {
	if n.IsUnset() {
		return calc.Value[[]Node]{}
	}
	switch v := n.Value.(type) {
	case []any:
		nodes := make([]Node, len(v))
		for i, e := range v {
			nodes[i] = Node{e, n.below(i)}
		}
		return calc.Known(nodes)
	case Unknown:
		return calc.Unknown[[]Node]()
	}
	return wrongTypeUnlessUnset[[]Node](r, n, "a list")
}

// Chosen reads a flag or a choice without content: true, an object or a list of
// one object choose it, and so does the text "true", which is what Terraform
// makes of true in a map of strings. It never returns null.
func (r *Reader) Chosen(n Node) calc.Value[bool] {
	switch v := n.Value.(type) {
	case bool:
		return calc.Known(v)
	case string:
		if v == "true" || v == "false" {
			return calc.Known(v == "true")
		}
	}
	block := r.Block(n)
	if block.IsUnknown() {
		return calc.Unknown[bool]()
	}
	return calc.Known(!block.IsNull())
}

// Text reads a text.
func (r *Reader) Text(n Node) calc.Value[string] {
	switch v := n.Value.(type) {
	case string:
		if v != "" {
			return calc.Known(v)
		}
	case Unknown:
		return calc.Unknown[string]()
	}
	return wrongTypeUnlessUnset[string](r, n, "a text")
}

// Whole reads a whole number within bounds, which may also be written as text,
// as in a map of strings.
func (r *Reader) Whole(n Node, b calc.Bounds) calc.Value[int64] {
	var f *big.Float
	switch v := n.Value.(type) {
	case *big.Float:
		f = v
	case string:
		if number, ok := calc.ParseNumber(v); ok {
			f = number
		}
	case Unknown:
		return calc.Unknown[int64]()
	}
	switch {
	case f == nil:
		return wrongTypeUnlessUnset[int64](r, n, "a whole number")
	case f.Sign() == 0:
		return calc.Value[int64]{}
	}
	if whole, accuracy := f.Int64(); accuracy == big.Exact && b.Contains(whole) {
		return calc.Known(whole)
	}
	r.Refuse(n, "Out of bounds", fmt.Sprintf("XC takes a whole number from %d to %d here, and this is %s.", b.Min, b.Max, calc.Text(f)))
	return calc.Unknown[int64]()
}

// wrongTypeUnlessUnset ends a reader that found none of the types it takes.
func wrongTypeUnlessUnset[T any](r *Reader, n Node, want string) calc.Value[T] {
	if n.IsUnset() {
		return calc.Value[T]{}
	}
	r.Refuse(n, "Wrong type", fmt.Sprintf("XC has %s here, and this is %s.", want, describe(n.Value)))
	return calc.Unknown[T]()
}

func describe(value any) string {
	switch v := value.(type) {
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case string:
		return fmt.Sprintf("the text %.40q", v)
	case *big.Float:
		return "the number " + calc.Text(v)
	case []any:
		return "a list"
	}
	return "an object"
}

// ParseJSON reads a tree from JSON text that holds one value and nothing after
// it. Numbers are read as the engines read them.
//
// It returns an error, in words for the practitioner and without a full stop,
// for any other text, for nesting deeper than [encoding/json] takes, and for a
// number of more than 1000 characters or outside 1e-10000 to 1e10000.
func ParseJSON(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, explain(err)
	}
	end := dec.InputOffset()
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more text follows the first value, which ends at byte %d", end)
	}
	return fromJSON(v)
}

// explain words the errors of a decoder that takes any value.
func explain(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("at byte %d, %w", syntax.Offset, err)
	}
	return errors.New("it ends before the value does")
}

// fromJSON turns the numbers of decoded JSON into *big.Float, in place.
func fromJSON(value any) (_ any, err error) {
	switch v := value.(type) {
	case json.Number:
		f, ok := calc.ParseNumber(string(v))
		if !ok {
			return nil, fmt.Errorf("the number %.40s is longer than 1000 characters or outside 1e-10000 to 1e10000", v)
		}
		return f, nil
	case []any:
		for i := range v {
			if v[i], err = fromJSON(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = fromJSON(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}
