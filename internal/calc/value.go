package calc

import (
	"fmt"
	"strings"
)

// Value is one argument as a configuration holds it: null (the zero Value), not
// known yet, or known.
type Value[T any] struct {
	value T
	state valueState
}

type valueState uint8

const (
	stateNull valueState = iota
	stateUnknown
	stateKnown
)

// Known is an argument that is written and known.
func Known[T any](v T) Value[T] { return Value[T]{value: v, state: stateKnown} }

// Unknown is an argument that is written but becomes known only during apply.
func Unknown[T any]() Value[T] { return Value[T]{state: stateUnknown} }

// IsNull reports whether the argument is not written.
func (v Value[T]) IsNull() bool { return v.state == stateNull }

// IsUnknown reports whether the argument is not known yet.
func (v Value[T]) IsUnknown() bool { return v.state == stateUnknown }

// Get returns the argument and whether it is known.
func (v Value[T]) Get() (T, bool) { return v.value, v.state == stateKnown }

// Path leads to the part of an argument that is at fault: names (string) and
// list indices (int).
type Path []any

// String writes the path as Terraform does: limits[0].action_block.
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

// Under returns the path with steps put in front of it.
func (p Path) Under(steps ...any) Path {
	return append(append(Path{}, steps...), p...)
}

// Problem is one reason to refuse an argument, written for the practitioner.
type Problem struct {
	// Path leads to the argument at fault.
	Path Path
	// Summary says in a few words what is wrong.
	Summary string
	// Detail says what was given, what is allowed, why XC cares and what to
	// write instead.
	Detail string
}

// Under returns problems with steps put in front of each path, for arguments
// that stand inside another one.
func Under(problems []Problem, steps ...any) []Problem {
	out := make([]Problem, len(problems))
	for i, p := range problems {
		p.Path = p.Path.Under(steps...)
		out[i] = p
	}
	return out
}
