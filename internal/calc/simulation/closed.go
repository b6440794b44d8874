package simulation

import (
	"math/big"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// model is a run's limit and traffic on one kind of integer.
//
// A bucket is kept as the time at which it will be empty if nothing more passes:
// its level, in requests, is what is left of that time divided by the time in
// which one slot frees. A request at time t passes when the bucket is empty by
// t + room, and then moves that time, or t where it lies behind, one slot on.
type model[N any, I integer[N]] struct {
	*clock
	slot, room, lockout, sync I
	start, interval           []I // of each stream
	zero                      I
	blocks                    bool
}

func newModel[N any, I integer[N]](c *clock, load func(*big.Int) I) *model[N, I] {
	m := &model[N, I]{
		clock: c,
		slot:  load(c.slot), room: load(c.room), lockout: load(c.lockout), sync: load(c.sync),
		zero: new(N), blocks: c.lockout.Sign() > 0,
	}
	for i := range c.streams {
		m.start = append(m.start, load(c.streams[i].startTicks))
		m.interval = append(m.interval, load(c.streams[i].intervalTicks))
	}
	return m
}

// tally counts what requests met.
type tally struct {
	steps       []counts
	first429    int64   // the run's first refused request, or none
	lockouts    []int64 // the requests that started one, MaxLockouts + 1 of them at most
	started     int64   // how many did
	maxLockouts int64   // a run stops at the first one that is more
}

// counts holds how many requests met each verdict.
type counts [calc.Blocked + 1]int64

// none is a request that comes after all others.
const none = int64(MaxRequests)

func newTally(steps int, maxLockouts int64) *tally {
	return &tally{steps: make([]counts, steps), first429: none, maxLockouts: maxLockouts}
}

// lock counts a lockout.
func (t *tally) lock(request int64) {
	if t.started++; t.started <= MaxLockouts+1 {
		t.lockouts = append(t.lockouts, request)
	}
}

// stopped reports whether there were too many lockouts.
func (t *tally) stopped() bool { return t.started > t.maxLockouts }

// total returns how many requests of the run met a verdict.
func (t *tally) total(v calc.Verdict) (n int64) {
	for _, s := range t.steps {
		n += s[v]
	}
	return n
}

// closed runs the traffic at so many points that never converge.
func (m *model[N, I]) closed(points, maxLockouts int64) *tally {
	t := newTally(m.steps, maxLockouts)
	b := newBucket(m)
	for point := range min(points, m.offered) {
		b.reset()
		for i := range m.streams {
			s := &m.streams[i]
			lead := (point - s.first%points + points) % points
			if lead >= s.count {
				continue
			}
			walk := walk{tally: t, stream: s, lead: lead, points: points, left: (s.count-1-lead)/points + 1, step: -1}
			walk.nextStep()
			b.run(&walk, m.start[i], m.interval[i])
			if t.stopped() {
				return t
			}
		}
	}
	return t
}

// walk goes through one point's requests of a stream, those with index lead,
// lead + points, lead + 2 points and so on, and counts them by step.
type walk struct {
	tally        *tally
	stream       *stream
	lead, points int64
	done, left   int64 // of the point's requests
	step         int   // of the stream's steps
	end          int64 // how many of the point's requests lie before the end of that step
}

// index returns the next request's index in the stream.
func (w *walk) index() int64 { return w.lead + w.done*w.points }

// request returns the next request's index in the run.
func (w *walk) request() int64 { return w.stream.first + w.index() }

// nextStep goes on to the next step that holds a request of the point.
func (w *walk) nextStep() {
	for w.end <= w.done {
		w.step++
		w.end = (w.stream.ends[w.step] - w.lead + w.points - 1) / w.points
	}
}

// take goes on by n requests with the same verdict.
func (w *walk) take(n int64, v calc.Verdict) {
	for n > 0 {
		piece, step := w.piece(n)
		step[v] += piece
		n -= piece
	}
}

// piece goes on by at most n requests, as far as the step reaches, and returns
// by how many and the step's counts.
func (w *walk) piece(n int64) (int64, *counts) {
	n = min(n, w.end-w.done)
	step := &w.tally.steps[w.stream.step+w.step]
	w.done += n
	w.left -= n
	if w.left > 0 {
		w.nextStep()
	}
	return n, step
}

// bucket is one point's view: when its bucket will be empty, and when its
// lockout ends. The rest are registers, kept so that nothing is allocated anew.
type bucket[N any, I integer[N]] struct {
	*model[N, I]
	emptyAt, lockedUntil   I
	at, gap, wait, x, y    I
	credit, stride, period I
}

func newBucket[N any, I integer[N]](m *model[N, I]) *bucket[N, I] {
	return &bucket[N, I]{
		model: m, emptyAt: new(N), lockedUntil: new(N),
		at: new(N), gap: new(N), wait: new(N), x: new(N), y: new(N),
		credit: new(N), stride: new(N), period: new(N),
	}
}

// reset empties the bucket and ends its lockout.
func (b *bucket[N, I]) reset() {
	b.emptyAt.SetInt64(0)
	b.lockedUntil.SetInt64(0)
}

// run takes the point's requests of one stream. They come evenly, one every gap.
func (b *bucket[N, I]) run(w *walk, start, interval I) {
	b.gap.SetInt64(w.points)
	b.gap.Mul(b.gap, interval)
	faster := b.gap.Cmp(b.slot) < 0 // than slots free
	for w.left > 0 && !w.tally.stopped() {
		b.at.SetInt64(w.index())
		b.at.Add(b.at.Mul(b.at, interval), start)
		if b.lockedUntil.Cmp(b.at) > 0 {
			w.take(b.gapsUntil(b.lockedUntil, w.left), calc.Blocked)
			continue
		}
		if b.wait.Sub(b.emptyAt, b.at); b.wait.Cmp(b.zero) < 0 {
			b.wait.SetInt64(0)
		}
		if b.wait.Cmp(b.room) <= 0 {
			n := w.left
			if faster {
				// Each request adds a slot, of which a gap drains before the next:
				// request k, counted from here, is the first to find more than room when
				// wait + k (slot − gap) > room.
				b.x.Quo(b.x.Sub(b.room, b.wait), b.y.Sub(b.slot, b.gap))
				n = b.atMost(b.x, n-1) + 1
			}
			b.fill(n)
			w.take(n, calc.Accepted)
			continue
		}
		w.tally.first429 = min(w.tally.first429, w.request())
		switch {
		case b.blocks:
			w.tally.lock(w.request())
			b.lockedUntil.Add(b.at, b.lockout)
			w.take(1, calc.Rejected429)
		case !faster:
			// By the next request at least one slot is free.
			w.take(1, calc.Rejected429)
		default:
			b.overflow(w)
		}
	}
}

// gapsUntil returns how many of at most so many requests, of which the next goes
// at b.at, go before t.
func (b *bucket[N, I]) gapsUntil(t I, most int64) int64 {
	b.x.Quo(b.x.Sub(b.x.Sub(t, b.at), b.y.SetInt64(1)), b.gap)
	return b.atMost(b.x, most-1) + 1
}

// atMost returns x, or most where that is less.
func (b *bucket[N, I]) atMost(x I, most int64) int64 {
	if b.y.SetInt64(most); x.Cmp(b.y) < 0 {
		return x.Int64()
	}
	return most
}

// fill lets n requests pass, of which the first goes at b.at. Where they come
// faster than slots free the bucket is never empty meanwhile, and else at the
// last request only what was there at the start may be left.
func (b *bucket[N, I]) fill(n int64) {
	b.x.SetInt64(n)
	b.x.Mul(b.x, b.slot)
	b.emptyAt.Add(b.emptyAt, b.x)
	b.x.Add(b.x, b.at)
	b.raise(b.x)
	b.x.SetInt64(n - 1)
	b.x.Add(b.x.Add(b.x.Mul(b.x, b.gap), b.at), b.slot)
	b.raise(b.x)
}

// raise moves the time of the empty bucket on to t, if that is later.
func (b *bucket[N, I]) raise(t I) {
	if b.emptyAt.Cmp(t) < 0 {
		b.emptyAt.Set(t)
	}
}

// overflow takes all requests that are left of a stream that comes faster than
// slots free, from one on that is refused, without Block. Of the first k of them
//
//	⌊(credit + (k − 1) stride) / period⌋
//
// pass. A ceiling above 1 keeps the bucket from running empty: the period is a
// slot, the stride a gap, and the credit what of the ceiling is not filled. At a
// ceiling of 1 a request passes only when the bucket is empty. Then requests pass
// evenly, one in as many as it takes for a slot to free, and the three count
// requests.
func (b *bucket[N, I]) overflow(w *walk) {
	single := b.room.Cmp(b.zero) == 0
	var first, every int64
	if single {
		first = b.gapsUntil(b.emptyAt, w.left+1)
		b.x.Add(b.at, b.slot)
		every = b.gapsUntil(b.x, w.left+1)
		b.credit.SetInt64(every - first)
		b.stride.SetInt64(1)
		b.period.SetInt64(every)
	} else {
		b.credit.Sub(b.credit.Add(b.room, b.slot), b.wait)
		b.stride.Set(b.gap)
		b.period.Set(b.slot)
	}
	switch passed := b.passed(w.left); {
	case !single:
		b.x.SetInt64(passed)
		b.emptyAt.Add(b.emptyAt, b.x.Mul(b.x, b.slot))
	case passed > 0:
		b.x.SetInt64(first + (passed-1)*every) // the last to pass
		b.emptyAt.Add(b.emptyAt.Add(b.x.Mul(b.x, b.gap), b.at), b.slot)
	}
	for taken, before := int64(0), int64(0); w.left > 0; {
		n, step := w.piece(w.left)
		taken += n
		passed := b.passed(taken)
		step[calc.Accepted] += passed - before
		step[calc.Rejected429] += n - (passed - before)
		before = passed
	}
}

// passed returns how many of the first k overflowing requests pass.
func (b *bucket[N, I]) passed(k int64) int64 {
	b.x.SetInt64(k - 1)
	b.x.Add(b.x.Mul(b.x, b.stride), b.credit)
	return I(b.x.Quo(b.x, b.period)).Int64()
}
