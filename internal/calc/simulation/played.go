package simulation

import "github.com/xcrl/terraform-provider-xcrl/internal/calc"

// view is what one point knows: when its bucket will be empty and when its
// lockout ends, since the last sync that reached it.
type view[N any] struct {
	emptyAt, lockedUntil N
	syncs                int64
}

// played runs the traffic request by request at so many points that converge.
//
// At a sync all points take over the merged view. Nothing is done for a sync
// before the next request, and nothing for a point before its own next request:
// until then only time passes.
func (m *model[N, I]) played(points, maxLockouts int64) *tally {
	t := newTally(m.steps, maxLockouts)
	views := make([]view[N], min(points, m.offered))
	var merged, synced view[N] // the merged view now, and as it was at the last sync
	var at, nextSync, passBy N
	mergedEmptyAt, mergedLock := I(&merged.emptyAt), I(&merged.lockedUntil)
	now, next, latest := I(&at), I(&nextSync), I(&passBy)
	next.Set(m.sync)
	one := I(new(N))
	one.SetInt64(1)
	request, point := int64(0), 0
	for i := range m.streams {
		s := &m.streams[i]
		now.Set(m.start[i])
		k := int64(0)
		for step, end := range s.ends {
			count := &t.steps[s.step+step]
			for ; k < end; k++ {
				if now.Cmp(next) >= 0 {
					I(&synced.emptyAt).Set(mergedEmptyAt)
					I(&synced.lockedUntil).Set(mergedLock)
					synced.syncs++
					next.Quo(now, m.sync)
					next.Mul(next.Add(next, one), m.sync)
				}
				v := &views[point]
				emptyAt, lock := I(&v.emptyAt), I(&v.lockedUntil)
				if v.syncs != synced.syncs {
					emptyAt.Set(&synced.emptyAt)
					lock.Set(&synced.lockedUntil)
					v.syncs = synced.syncs
				}
				latest.Add(now, m.room)
				switch {
				case lock.Cmp(now) > 0:
					count[calc.Blocked]++
				case emptyAt.Cmp(latest) <= 0:
					count[calc.Accepted]++
					if emptyAt.Cmp(now) < 0 {
						emptyAt.Set(now)
					}
					emptyAt.Add(emptyAt, m.slot)
					if mergedEmptyAt.Cmp(now) < 0 {
						mergedEmptyAt.Set(now)
					}
					mergedEmptyAt.Add(mergedEmptyAt, m.slot)
				default:
					count[calc.Rejected429]++
					t.first429 = min(t.first429, request)
					if m.blocks {
						if t.lock(request); t.stopped() {
							return t
						}
						lock.Add(now, m.lockout)
						mergedLock.Set(lock)
					}
				}
				now.Add(now, m.interval[i])
				request++
				if point++; point == len(views) {
					point = 0
				}
			}
		}
	}
	return t
}
