package xcshape

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// places are where an object may hold a limit: a rate_limiter as a resource or
// as an answer of the API, a load balancer or its rate_limit, and an API rule.
// The object itself may be a limit or an inline limiter too.
var places = [][]string{
	{"limits"},
	{"spec", "limits"},
	{"get_spec", "limits"},
	{"rate_limiter"},
	{"rate_limit", "rate_limiter"},
	{"spec", "rate_limit", "rate_limiter"},
	{"inline_rate_limiter"},
}

// FromXC reads the one rate limit that an object of XC holds, wherever it holds
// it; see [Reader.Root] for the forms of value. The window stays as the object
// writes it.
//
// It looks only at what the limit needs: an unknown elsewhere in the object does
// not matter, and known is false without a problem only where a needed part is
// unknown. Problems name their path inside the object. A rate_limiter without
// limits is one, although XC accepts it: it limits nothing.
func FromXC(value any) (l calc.Limit, known bool, problems []calc.Problem) {
	var r Reader
	root := r.Root(value)
	if root.IsNull() {
		r.Refuse(Node{}, "Nothing given", "The value is null or empty. "+LooksFor(""))
	}
	if n, ok := root.Get(); ok {
		l, known = r.find(n).Get()
	}
	return l, known && len(r.Problems) == 0, r.Problems
}

// find reads the one limit in the object n.
func (r *Reader) find(n Node) calc.Value[calc.Limit] {
	type candidate struct {
		at   calc.Path
		node Node
		read func(Node) calc.Value[calc.Limit]
	}
	var found []candidate
	var unknown bool
	for _, place := range places {
		block := r.follow(n, place)
		if len(r.Problems) > 0 {
			return calc.Unknown[calc.Limit]()
		}
		unknown = unknown || block.IsUnknown()
		if at, ok := block.Get(); ok {
			read := r.limit
			if place[0] == "inline_rate_limiter" {
				read = r.InlineLimit
			}
			found = append(found, candidate{at.Path, at, read})
		}
	}
	// Beside a list of limits, even an empty one, XC drops such fields.
	_, listed := n.Attr("limits").Value.([]any)
	_, mayBeListed := n.Attr("limits").Value.(Unknown)
	if own := n.Attr("total_number"); !own.IsUnset() && (!listed || len(found) > 0) && !mayBeListed {
		found = append(found, candidate{own.Path, n, r.limit})
	}
	if own := n.Attr("threshold"); !own.IsUnset() {
		found = append(found, candidate{own.Path, n, r.InlineLimit})
	}
	switch {
	case len(found) == 1:
		return found[0].read(found[0].node)
	case len(found) > 1:
		var at []string
		for _, c := range found {
			at = append(at, c.at.String())
		}
		r.Refuse(n, "More than one limit", "The object holds several limits: "+strings.Join(at, ", ")+". Pass the one that is meant.")
	case unknown:
		return calc.Unknown[calc.Limit]()
	default:
		r.refuseEmpty(n)
	}
	return calc.Unknown[calc.Limit]()
}

// follow goes down nested blocks and returns null where one of them is absent.
func (r *Reader) follow(n Node, names []string) calc.Value[Node] {
	block := calc.Known(n)
	for _, name := range names {
		at, ok := block.Get()
		if !ok {
			break
		}
		block = r.Block(at.Attr(name))
	}
	return block
}

// LooksFor says where [FromXC] looks for a limit, with a mark around each name.
func LooksFor(mark string) string {
	names := make([]string, len(places))
	for i, place := range places {
		names[i] = mark + strings.Join(place, ".") + mark
	}
	last := len(names) - 1
	return fmt.Sprintf("A limit is looked for in %s and %s, and in the object itself by its %[3]stotal_number%[3]s or %[3]sthreshold%[3]s.",
		strings.Join(names[:last], ", "), names[last], mark)
}

// refuseEmpty says why the object n, in which there is no limit, has none.
func (r *Reader) refuseEmpty(n Node) {
	object, _ := n.Value.(map[string]any)
	for _, name := range []string{"spec", "get_spec"} {
		if spec, ok := r.Block(n.Attr(name)).Get(); ok && (has(spec, "limits") || has(spec, "total_number")) {
			r.refuseWithoutLimits(spec)
			return
		}
	}
	switch {
	case has(n, "limits"):
		r.refuseWithoutLimits(n)
	case has(n, "total_number"):
		r.limit(n)
	case has(n, "threshold"):
		r.InlineLimit(n)
	default:
		keys := slices.Sorted(maps.Keys(object))
		saw := "This object is empty."
		if len(keys) > 0 {
			saw = "This object holds " + strings.Join(keys[:min(len(keys), 12)], ", ")
			if len(keys) > 12 {
				saw += fmt.Sprintf(" and %d more", len(keys)-12)
			}
			saw += "."
		}
		switch {
		case has(n, "ref_rate_limiter"):
			saw += " A ref_rate_limiter only names a limiter: pass that one."
		case has(n, "server_url_rules"), has(n, "api_endpoint_rules"), has(n, "api_rate_limit"):
			saw += " Rules of an api_rate_limit are read by rules_from_xc."
		}
		r.Refuse(n, "No limit recognised", LooksFor("")+" "+saw)
	}
}

// refuseWithoutLimits refuses a rate_limiter whose limits are empty.
func (r *Reader) refuseWithoutLimits(n Node) {
	detail := "XC accepts a rate_limiter without limits, and such a limiter limits nothing."
	var dropped []string
	for _, name := range []string{"total_number", "unit", "period_multiplier", "burst_multiplier"} {
		if !n.Attr(name).IsUnset() {
			dropped = append(dropped, name)
		}
	}
	if len(dropped) > 0 {
		detail += fmt.Sprintf(" It drops what stands beside limits, here %s: write that into an entry of limits.", strings.Join(dropped, ", "))
	} else {
		detail += " Write an entry into limits, with a total_number at least; XC drops what stands beside limits."
	}
	r.Refuse(n.Attr("limits"), "No limits", detail)
}

func has(n Node, name string) bool {
	_, ok := n.Value.(map[string]any)[name]
	return ok
}

// limit reads the fields of a limit: those of an entry of limits.
func (r *Reader) limit(n Node) calc.Value[calc.Limit] {
	var s settled
	l := calc.Limit{
		Number:          settle(&s, r.required(n.Attr("total_number"), calc.NumberBounds), 0),
		PerPeriod:       settle(&s, r.unit(n.Attr("unit")), calc.Second),
		Periods:         settle(&s, r.Whole(n.Attr("period_multiplier"), calc.PeriodsBounds), calc.DefaultPeriods),
		BurstMultiplier: settle(&s, r.Whole(n.Attr("burst_multiplier"), calc.BurstMultiplierBounds), calc.DefaultBurstMultiplier),
	}
	if settle(&s, r.choice(n, "leaky_bucket", "token_bucket"), false) {
		l.Algorithm = calc.TokenBucket
	}
	if settle(&s, r.choice(n, "disabled", "action_block"), false) {
		lockout := settle(&s, r.lockout(n.Attr("action_block")), lockout{})
		l.BlockDuration, l.BlockUnit = lockout.duration, lockout.unit
	}
	if s.unknown {
		return calc.Unknown[calc.Limit]()
	}
	return calc.Known(l)
}

// InlineLimit reads the inline limiter of an API rule. It has only a threshold
// and a unit: its periods and its burst multiplier are 1 and it never blocks
// [spec]. Whatever else is written in it XC drops.
func (r *Reader) InlineLimit(n Node) calc.Value[calc.Limit] {
	var s settled
	l := calc.Limit{
		Number:          settle(&s, r.required(n.Attr("threshold"), calc.NumberBounds), 0),
		PerPeriod:       settle(&s, r.unit(n.Attr("unit")), calc.Second),
		Periods:         1,
		BurstMultiplier: 1,
	}
	if s.unknown {
		return calc.Unknown[calc.Limit]()
	}
	return calc.Known(l)
}

// settled records whether a part of a limit was unknown.
type settled struct{ unknown bool }

// settle returns a part of a limit, or what XC takes where it is unset.
func settle[T any](s *settled, v calc.Value[T], unset T) T {
	if known, ok := v.Get(); ok {
		return known
	}
	s.unknown = s.unknown || v.IsUnknown()
	return unset
}

func (r *Reader) required(n Node, b calc.Bounds) calc.Value[int64] {
	v := r.Whole(n, b)
	if v.IsNull() {
		r.Refuse(n, "No number of requests", fmt.Sprintf("XC takes a whole number from %d to %d here, and this is missing or 0.", b.Min, b.Max))
		return calc.Unknown[int64]()
	}
	return v
}

func (r *Reader) unit(n Node) calc.Value[calc.Unit] {
	v := r.Text(n)
	word, ok := v.Get()
	if !ok {
		if v.IsNull() {
			return calc.Value[calc.Unit]{}
		}
		return calc.Unknown[calc.Unit]()
	}
	u, ok := calc.ParseUnit(word)
	if !ok {
		r.Refuse(n, "No unit of XC", fmt.Sprintf("XC's units are SECOND, MINUTE and HOUR, and this is %.40q. A longer window takes a period_multiplier, which an inline limiter does not have.", word))
		return calc.Unknown[calc.Unit]()
	}
	return calc.Known(u)
}

// choice reports whether the other one of two alternatives is chosen rather than
// the one that XC takes by default. One that is known to be chosen settles it,
// whatever the other is.
func (r *Reader) choice(n Node, byDefault, other string) calc.Value[bool] {
	first := r.Chosen(n.Attr(byDefault))
	second := r.Chosen(n.Attr(other))
	isFirst, _ := first.Get()
	isSecond, _ := second.Get()
	if isFirst && isSecond {
		r.Refuse(n.Attr(other), "Two of one choice", fmt.Sprintf("XC takes one of %s and %s, and both are chosen. Remove one of them.", byDefault, other))
	}
	if isFirst {
		return calc.Known(false)
	}
	return second
}

type lockout struct {
	duration int64
	unit     calc.Unit
}

// lockout reads an action_block that is chosen. A duration of 0 is unset.
func (r *Reader) lockout(n Node) calc.Value[lockout] {
	unknown := calc.Unknown[lockout]()
	block, ok := r.Block(n).Get()
	if !ok {
		return unknown
	}
	var found []lockout
	var unsure bool
	for _, u := range calc.Units {
		in := r.Block(block.Attr(strings.ToLower(u.Console())))
		at, ok := in.Get()
		if !ok {
			unsure = unsure || in.IsUnknown()
			continue
		}
		v := r.Whole(at.Attr("duration"), u.LockoutBounds())
		unsure = unsure || v.IsUnknown()
		if d, ok := v.Get(); ok {
			found = append(found, lockout{d, u})
		}
	}
	switch {
	case len(found) == 1:
		return calc.Known(found[0])
	case len(found) == 0 && unsure:
		return unknown
	}
	r.Refuse(block, "Not one duration", fmt.Sprintf("XC's action_block takes one duration above 0, in seconds (1 to 300), minutes (1 to 60) or hours (1 to 48), and this one has %d.", len(found)))
	return unknown
}
