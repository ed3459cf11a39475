package live_test

import (
	"strings"
	"testing"
)

// What would end the process is an error of the cell, which no code recovers from, and the session goes on.
func TestFatal(t *testing.T) {
	const mutex, unlock, runlock = "sync: unlock of unlocked mutex", "sync: Unlock of unlocked RWMutex",
		"sync: RUnlock of unlocked RWMutex"
	for code, want := range map[string]string{
		"var mu sync.Mutex; mu.Lock(); mu.Unlock(); defer func() { recover() }()\nmu.Unlock()":                                    "line 2: fatal error: " + mutex,
		"var mu sync.Mutex\nf := mu.Unlock\nfunc() { defer f() }()":                                                               "line 3: fatal error: " + mutex,
		"var mu sync.Mutex\ndefer mu.Unlock()":                                                                                    "line 2: fatal error: " + mutex,
		"var mu sync.Mutex\n(*sync.Mutex).Unlock(&mu)":                                                                            "line 2: fatal error: " + mutex,
		"var l sync.Locker = &sync.Mutex{}\nl.Unlock()":                                                                           "line 2: fatal error: " + mutex,
		"type S struct { sync.Mutex; n int }\nvar s S\ns.Unlock()":                                                                "line 3: fatal error: " + mutex,
		"type S struct { sync.Mutex }\nc := sync.NewCond(&S{})\nc.Wait()":                                                         "line 3: fatal error: " + mutex,
		"var mu sync.Mutex\nc := sync.NewCond(&mu)\nc.Wait()":                                                                     "line 3: fatal error: " + mutex,
		"var mu sync.Mutex\nsync.OnceFunc(mu.Unlock)()":                                                                           "line 2: fatal error: " + mutex,
		"var mu sync.Mutex; var wg sync.WaitGroup\nwg.Go(func() {\nmu.Unlock() })\nwg.Wait()":                                     "line 3: panic in a goroutine: fatal error: " + mutex,
		"var mu sync.Mutex; var wg sync.WaitGroup\nwg.Go(mu.Unlock)\nwg.Wait()":                                                   "panic in a goroutine: fatal error: " + mutex,
		"var mu sync.Mutex\ngo mu.Unlock()\nfor { time.Sleep(time.Millisecond) }":                                                 "panic in a goroutine: fatal error: " + mutex,
		"var rw sync.RWMutex; rw.RLock()\nrw.Unlock()":                                                                            "line 2: fatal error: " + unlock,
		"type S struct { *sync.RWMutex }\nvar l sync.Locker = S{new(sync.RWMutex)}\nl.Unlock()":                                   "line 3: fatal error: " + unlock,
		"var rw sync.RWMutex; rw.RLock(); rw.RUnlock()\nrw.RUnlock()":                                                             "line 2: fatal error: " + runlock,
		"var rw sync.RWMutex; rw.Lock()\nrw.RUnlock()":                                                                            "line 2: fatal error: " + runlock,
		"var rw sync.RWMutex; l := rw.RLocker(); l.Lock(); l.Unlock()\nl.Unlock()":                                                "line 2: fatal error: " + runlock,
		"m := map[int]int{}\nfor i := range 4 { go func() { for { m[i]++ } }() }\nfor { time.Sleep(time.Millisecond) }":           "line 2: panic in a goroutine: fatal error: concurrent map ",
		"m := map[string]int{}\ngo func() { for { for range m {}; _ = m[`a`] } }()\nfor { m[`a`] = 1; delete(m, `a`); clear(m) }": "",
	} {
		s := session(t)
		out, err := eval(s, code)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "fatal error: ") {
			t.Errorf("%s: %q, %v; want %s", code, out, err, want)
		}
		if out, err := eval(s, "20 + 3"); out != "23" || err != nil {
			t.Errorf("%s: after it %q, %v", code, out, err)
		}
	}
	s := session(t)
	const right = "var mu sync.Mutex; c := sync.NewCond(&mu); done := 0; var rw sync.RWMutex; var wg sync.WaitGroup\n" +
		"m := map[int]int{}\nfor i := range 8 { go func() { for k := range 50 { mu.Lock(); m[k] += i; mu.Unlock(); " +
		"rw.RLock(); rw.RUnlock(); rw.Lock(); rw.Unlock() }; mu.Lock(); done++; mu.Unlock(); c.Broadcast() }() }\n" +
		"mu.Lock(); for done < 8 { c.Wait() }; mu.Unlock()\nfor range 4 { wg.Go(func() { defer rw.RUnlock(); rw.RLock(); " +
		"for k := range m { if m[k] != 28 { panic(k) } } }) }\nwg.Wait()\nlen(m)"
	if out, err := eval(s, right); out != "50" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}
