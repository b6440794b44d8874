package calc

import (
	"reflect"
	"testing"
)

func TestValueStates(t *testing.T) {
	for name, c := range map[string]struct {
		value               Value[string]
		null, unknown, read bool
		text                string
	}{
		"null":    {Value[string]{}, true, false, false, ""},
		"unknown": {Unknown[string](), false, true, false, ""},
		"known":   {Known("x"), false, false, true, "x"},
	} {
		text, read := c.value.Get()
		if c.value.IsNull() != c.null || c.value.IsUnknown() != c.unknown || read != c.read || text != c.text {
			t.Errorf("%s: null %v, unknown %v, %q %v", name, c.value.IsNull(), c.value.IsUnknown(), text, read)
		}
	}
}

func TestPathString(t *testing.T) {
	for want, path := range map[string]Path{
		"":                               {},
		"number":                         {"number"},
		"limits[0].action_block.seconds": {"limits", 0, "action_block", "seconds"},
		"[2].limit":                      {2, "limit"},
		"rules[1][12]":                   {"rules", 1, 12},
	} {
		if got := path.String(); got != want {
			t.Errorf("%#v is written %s, want %s", []any(path), got, want)
		}
	}
}

// Problems that stand inside another argument keep what they say, and the
// originals keep their paths.
func TestUnder(t *testing.T) {
	inner := []Problem{{Path{"number"}, "a", "b"}, {Path{"periods"}, "c", "d"}}
	got := Under(inner, "rules", 3)
	want := []Problem{{Path{"rules", 3, "number"}, "a", "b"}, {Path{"rules", 3, "periods"}, "c", "d"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("problems %v, want %v", got, want)
	}
	if inner[0].Path.String() != "number" {
		t.Errorf("the original moved to %s", inner[0].Path)
	}
	steps := make([]any, 1, 4)
	steps[0] = "a"
	first, second := Path{"b"}.Under(steps...), Path{"c"}.Under(steps...)
	if first.String() != "a.b" || second.String() != "a.c" {
		t.Errorf("paths %s and %s share their steps", first, second)
	}
}
