// Package calc says what an F5 Distributed Cloud (XC) rate limit does: how fast
// it drains, how large a burst it lets through, when HTTP 429 begins, how long
// a lockout lasts and how far distributed counting overshoots.
//
// # The model
//
// A limit is a leaky bucket used as a meter, not as a queue. Its level L drains
// continuously at r = number / window requests per second, never below 0. A
// request at time t first lets the level drain to t. It passes when L + 1 ≤ B
// and then adds 1 to the level; otherwise it is answered 429 and adds nothing.
// B = number × burst multiplier is the burst ceiling. No calendar window exists
// that would reset anything.
//
// Integers and [math/big.Rat] decide everything; float64 appears only in the
// fields that are handed out as such, as the nearest float64 of an exact value.
//
// # Where the rules come from
//
// Comments name the source of each rule: [article] is "How F5XC Rate Limiting
// Actually Counts: Leaky Bucket, Burst, Lockout, and Overshoot"; [spec] is F5's
// public OpenAPI for Distributed Cloud, schemas ves.io.schema.rate_limiter and
// ves.io.schema.views.common_waf; [model] is a choice of this project where
// neither says.
package calc
