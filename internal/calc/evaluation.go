package calc

import (
	"fmt"
	"math/big"
)

// Evaluation is everything that can be said of a scenario before it is applied.
// What the limit alone decides are methods of [Limit].
type Evaluation struct {
	Scenario
	// ID is the canonical form of the limit, equal exactly for equivalent limits.
	ID string
	// Summary is one plain sentence for a reviewer.
	Summary string
	// LockoutEnd is the RFC 3339 time at which a lockout ends that starts at
	// OverflowAt; "" without Block or OverflowAt.
	LockoutEnd string
	// OvershootCeiling is how many requests all points together can let through
	// at once.
	OvershootCeiling int64
	// Client is what the client of ClientRate meets; nil without ClientRate.
	Client *ClientOutcome
	// Warnings is what is risky about this configuration, sorted by code.
	Warnings []Finding
	// Caveats is what is true of every such limit, sorted by code.
	Caveats []Finding
}

// Evaluate says what the limit of a resolved scenario does. It cannot fail.
func Evaluate(s Scenario) Evaluation {
	e := Evaluation{
		Scenario:         s,
		ID:               s.Limit.ID(),
		Summary:          s.Limit.summary(),
		OvershootCeiling: s.Limit.OvershootCeiling(s.EnforcementPoints),
		Caveats:          s.caveats(),
	}
	if s.OverflowAt != "" {
		e.LockoutEnd, _ = s.Limit.LockoutEnd(s.OverflowAt)
	}
	if s.ClientRate != nil {
		outcome := s.Limit.EvenClient(s.ClientRate)
		e.Client = &outcome
	}
	e.Warnings = s.warnings(e.Client)
	return e
}

// ID writes the [EquivalenceKey] as text: leaky_bucket:rate=5/3s:burst=100:lockout=0s.
func (l Limit) ID() string {
	k := l.EquivalenceKey()
	return fmt.Sprintf("%s:rate=%d/%ds:burst=%d:lockout=%ds",
		k.Algorithm, k.Rate.Requests, k.Rate.Seconds, k.BurstCeiling, k.LockoutSeconds)
}

// SecondsPerRequest returns how long one slot takes to free, in seconds: window
// / number.
func (l Limit) SecondsPerRequest() *big.Rat { return big.NewRat(l.WindowSeconds(), l.Number) }

// Empty is an object without content, by which XC marks a choice as made.
type Empty struct{}

// XCLimit is a limit in the names of XC's API [spec]. What is not chosen is nil.
type XCLimit struct {
	TotalNumber      int64          `json:"total_number"`
	Unit             string         `json:"unit"`
	PeriodMultiplier int64          `json:"period_multiplier"`
	BurstMultiplier  int64          `json:"burst_multiplier"`
	LeakyBucket      *Empty         `json:"leaky_bucket,omitempty"`
	TokenBucket      *Empty         `json:"token_bucket,omitempty"`
	Disabled         *Empty         `json:"disabled,omitempty"`
	ActionBlock      *XCActionBlock `json:"action_block,omitempty"`
}

// XCActionBlock is a lockout in the names of XC's API; one of its fields is set.
type XCActionBlock struct {
	Hours   *XCDuration `json:"hours,omitempty"`
	Minutes *XCDuration `json:"minutes,omitempty"`
	Seconds *XCDuration `json:"seconds,omitempty"`
}

// XCDuration is a number of the unit that holds it.
type XCDuration struct {
	Duration int64 `json:"duration"`
}

// XC returns the limit as XC's API writes it.
func (l Limit) XC() XCLimit {
	x := XCLimit{
		TotalNumber:      l.Number,
		Unit:             l.PerPeriod.API(),
		PeriodMultiplier: l.Periods,
		BurstMultiplier:  l.BurstMultiplier,
	}
	if l.Algorithm == TokenBucket {
		x.TokenBucket = &Empty{}
	} else {
		x.LeakyBucket = &Empty{}
	}
	if !l.Blocks() {
		x.Disabled = &Empty{}
		return x
	}
	d := &XCDuration{l.BlockDuration}
	switch l.BlockUnit {
	case Hour:
		x.ActionBlock = &XCActionBlock{Hours: d}
	case Minute:
		x.ActionBlock = &XCActionBlock{Minutes: d}
	default:
		x.ActionBlock = &XCActionBlock{Seconds: d}
	}
	return x
}
