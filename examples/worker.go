// A worker in Go: 1.25 or newer, the standard library, and no other module. Copy it, and write your own tasks.
//
//	FLOWFABRIC_SERVER=http://127.0.0.1:7433 FLOWFABRIC_TOKEN=fft_... go run worker.go
//
// It claims executions and runs them, keeps their leases alive, and stores each step that is done. If this process is
// killed, another worker gets its executions when their leases are over, and goes on after the last stored step.
// On SIGTERM it claims nothing more, lets running tasks finish, and hands back those that take too long.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var (
	server   = cmp.Or(os.Getenv("FLOWFABRIC_SERVER"), "http://127.0.0.1:7433")
	token    = os.Getenv("FLOWFABRIC_TOKEN")
	lanes    = strings.Split(cmp.Or(os.Getenv("LANES"), "default"), ",")
	slots    = number("SLOTS", 8) // how many tasks run at the same time
	lease    = time.Duration(number("LEASE_MS", 30_000)) * time.Millisecond
	grace    = time.Duration(number("GRACE_MS", 20_000)) * time.Millisecond
	farewell = time.Duration(number("FAREWELL_MS", 2_000)) * time.Millisecond // to hand back and to say goodbye; after that, leases end by themselves
	host, _  = os.Hostname()
	instance = fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text())
)

// ── the tasks, by the kind of execution ─────────────────────────────────────────────────────────

type task func(ctx context.Context, arguments json.RawMessage, attempt *Attempt) (any, error)

var tasks = map[string]task{"order": order}

// Two services are called, each in a step: what a step returned is stored, and no later attempt calls it again.
func order(ctx context.Context, arguments json.RawMessage, attempt *Attempt) (any, error) {
	var order struct {
		Bank, Warehouse string
		Cents           int
	}
	if err := json.Unmarshal(arguments, &order); err != nil {
		return nil, Permanent{"bad_arguments", err.Error()}
	}
	var receipt, parcel string
	err := attempt.Step(ctx, "charge", &receipt, func() error {
		return post(ctx, order.Bank, map[string]any{"cents": order.Cents}, attempt.ID+" charge", &receipt)
	})
	if err != nil {
		return nil, err
	}
	if err := attempt.Write(ctx, "charged: "+receipt+"\n"); err != nil {
		return nil, err
	}
	err = attempt.Step(ctx, "pack", &parcel, func() error {
		return post(ctx, order.Warehouse, map[string]any{"receipt": receipt}, attempt.ID+" pack", &parcel)
	})
	return map[string]string{"receipt": receipt, "parcel": parcel}, err
}

// A step may run again if the worker dies before it is stored. So the receiver gets a key by which it knows a repeat.
func post(ctx context.Context, to string, body any, key string, answer any) error {
	status, data, err := send(ctx, "POST", to, body, map[string]string{"Idempotency-Key": key})
	switch {
	case err != nil:
		return err
	case status == http.StatusPaymentRequired:
		return Permanent{"card_refused", "the bank refuses the card"}
	case status >= 400:
		return fmt.Errorf("%s answers %d", to, status)
	}
	return json.Unmarshal(data, answer)
}

// Permanent is an error after which trying again would not help.
type Permanent struct{ Code, Message string }

func (e Permanent) Error() string { return e.Message }

// ── requests ────────────────────────────────────────────────────────────────────────────────────

// Refused is what the server says when it does not do what was asked.
type Refused struct {
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	Retryable bool   `json:"retryable"`
}

func (e Refused) Error() string { return e.Detail }

func isLost(err error) bool {
	var refused Refused
	return errors.As(err, &refused) &&
		slices.Contains([]string{"stale_lease", "lease_expired", "execution_not_active"}, refused.Code)
}

// call sends one request. If the server is away, or asks us to come again, it is sent again until ctx is done. The key
// is the same each time, so that nothing is done twice even if only the answer was lost.
func call(ctx context.Context, method, path string, body, answer any) error {
	headers := map[string]string{"Authorization": "Bearer " + token, "Accept-Payload": "json"}
	if body != nil {
		headers["Idempotency-Key"] = rand.Text()
	}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		status, data, err := send(ctx, method, server+path, body, headers)
		if err == nil && status < 400 {
			if answer == nil || status == http.StatusNoContent {
				return nil
			}
			return json.Unmarshal(data, answer)
		}
		if err == nil {
			refused := Refused{Code: "refused", Detail: fmt.Sprintf("the answer is %d", status)}
			_ = json.Unmarshal(data, &refused) // a proxy before the server may say something else
			if !refused.Retryable && status < 500 {
				return refused
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

func send(ctx context.Context, method, to string, body any, headers map[string]string) (int, []byte, error) {
	var data io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		data = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, to, data)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	found, err := io.ReadAll(answer.Body)
	return answer.StatusCode, found, err
}

// Data is bytes: {"json": …} if they are JSON, and otherwise {"base64": …}.
type Data struct {
	JSON   json.RawMessage `json:"json,omitempty"`
	Base64 []byte          `json:"base64,omitempty"`
}

func asJSON(value any) (Data, error) {
	encoded, err := json.Marshal(value)
	return Data{JSON: encoded}, err
}

// ── one attempt ─────────────────────────────────────────────────────────────────────────────────

// Why an attempt has to stop: another worker may have it, or nobody has it once we have released it.
var errLost, errHandBack = errors.New("the lease is over"), errors.New("this worker stops")

// Claimed is what the server says about an execution that is ours for a while.
type Claimed struct {
	Lease   string `json:"lease"`
	ID      string `json:"execution_id"`
	Kind    string `json:"kind"`
	Payload Data   `json:"payload"`
}

// Attempt is one execution that this worker runs.
type Attempt struct {
	Claimed
	stop   context.CancelCauseFunc
	stored map[string]json.RawMessage

	lock               sync.Mutex // of what keepLeases changes:
	goodUntil          time.Time
	handBackAtNextStep bool
}

// Run runs the task and reports how it ended.
func (a *Attempt) Run(ctx context.Context) error {
	run, known := tasks[a.Kind]
	if !known { // During an update other workers may know it already: let them, in a while.
		return a.say(ctx, "delay", map[string]any{"until_ms": time.Now().Add(10 * time.Second).UnixMilli()})
	}
	result, err := a.runTask(ctx, run)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var refusedForGood Permanent
	switch {
	case err == nil:
		data, err := asJSON(result)
		if err == nil {
			return a.say(ctx, "complete", map[string]any{"result": data})
		}
		return a.fail(ctx, "bad_result", err, false)
	case errors.Is(err, errLost) || isLost(err):
		return nil // nothing we say counts any more
	case errors.Is(err, errHandBack):
		// Otherwise the lease ends by itself, a little later.
		soon, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		return a.say(soon, "release", nil)
	case errors.As(err, &refusedForGood):
		return a.fail(ctx, refusedForGood.Code, err, false)
	}
	return a.fail(ctx, "error", err, true)
}

// A task that does not look at ctx goes on alone when the attempt has to stop; nobody waits for it then.
func (a *Attempt) runTask(ctx context.Context, run task) (any, error) {
	var steps []struct {
		Name   string `json:"name"`
		Result Data   `json:"result"`
	}
	if err := call(ctx, "GET", "/v1/executions/"+url.PathEscape(a.ID)+"/steps", nil, &steps); err != nil {
		return nil, err
	}
	var written struct{ Arguments json.RawMessage }
	if err := json.Unmarshal(a.Payload.JSON, &written); err != nil {
		return nil, Permanent{"bad_arguments", err.Error()}
	}
	a.stored = make(map[string]json.RawMessage)
	for _, step := range steps {
		a.stored[step.Name] = step.Result.JSON
	}
	type ending struct {
		result any
		err    error
	}
	ended := make(chan ending, 1)
	go func() {
		result, err := run(ctx, written.Arguments, a)
		ended <- ending{result, err}
	}()
	select {
	case end := <-ended:
		return end.result, end.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Step fills result: with what is stored, or with what work puts there, which is stored before this returns.
func (a *Attempt) Step(ctx context.Context, name string, result any, work func() error) error {
	if stored, done := a.stored[name]; done {
		return json.Unmarshal(stored, result)
	}
	if a.isToHandBack() {
		return errHandBack
	}
	if err := work(); err != nil {
		return err
	}
	data, err := asJSON(result)
	if err != nil {
		return err
	}
	return a.say(ctx, "step", map[string]any{"name": name, "result": data})
}

// Write appends to the stream of the execution: readers see it while the task runs.
func (a *Attempt) Write(ctx context.Context, text string) error {
	frame := map[string]any{"kind": "text", "payload": Data{Base64: []byte(text)}}
	return a.say(ctx, "frames", map[string]any{"frames": []any{frame}})
}

func (a *Attempt) fail(ctx context.Context, code string, err error, retryable bool) error {
	return a.say(ctx, "fail", map[string]any{"code": code, "message": err.Error(), "retryable": retryable})
}

func (a *Attempt) say(ctx context.Context, what string, more map[string]any) error {
	body := map[string]any{"lease": a.Lease}
	maps.Copy(body, more)
	return call(ctx, "POST", "/v1/leases/"+what, body, nil)
}

func (a *Attempt) isToHandBack() bool {
	a.lock.Lock()
	defer a.lock.Unlock()
	return a.handBackAtNextStep
}

func (a *Attempt) isGoodUntil(instant time.Time, handBack bool) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.goodUntil, a.handBackAtNextStep = instant, handBack
}

func (a *Attempt) stopIfOver() {
	a.lock.Lock()
	defer a.lock.Unlock()
	if time.Now().After(a.goodUntil) {
		a.stop(errLost)
	}
}

// ── the loops ───────────────────────────────────────────────────────────────────────────────────

// Worker knows the attempts that it runs.
type Worker struct {
	lock    sync.Mutex
	held    map[string]*Attempt // by lease
	running sync.WaitGroup
	free    chan struct{} // one for each free slot
}

func (w *Worker) attempts() []*Attempt {
	w.lock.Lock()
	defer w.lock.Unlock()
	return slices.Collect(maps.Values(w.held))
}

// keepLeases renews all leases in one request, every third of their length. The answer says of each whether it holds.
func (w *Worker) keepLeases(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lease / 3):
		}
		attempts := w.attempts()
		if err := renew(ctx, attempts); err != nil && ctx.Err() == nil {
			log.Printf("leases could not be renewed: %v", err)
		}
		for _, attempt := range attempts {
			attempt.stopIfOver()
		}
	}
}

func renew(ctx context.Context, attempts []*Attempt) error {
	ctx, cancel := context.WithTimeout(ctx, lease/2)
	defer cancel()
	good := time.Now().Add(lease)
	leases := make([]string, len(attempts))
	for n, attempt := range attempts {
		leases[n] = attempt.Lease
	}
	var answers []struct {
		Type  string `json:"type"`
		Pause bool   `json:"pause"`
	}
	body := map[string]any{"leases": leases, "lease_ttl_ms": lease.Milliseconds()}
	if err := call(ctx, "POST", "/v1/leases/renew:batch", body, &answers); err != nil {
		return err
	}
	for n, answer := range answers {
		if answer.Type == "LeaseLost" {
			attempts[n].stop(errLost)
		} else {
			attempts[n].isGoodUntil(good, answer.Pause)
		}
	}
	// Shown by `ff workers`.
	return call(ctx, "POST", "/v1/workers", me(map[string]any{"ttl_ms": lease.Milliseconds()}), nil)
}

// work claims until stopping is done. Then what runs has its grace.
func (w *Worker) work(stopping context.Context) error {
	for stopping.Err() == nil {
		select {
		case <-w.free:
		case <-stopping.Done():
			continue
		}
		// Answers as soon as there is work, and otherwise with nothing after 30 seconds.
		limit := 1 + len(w.free)
		body := me(map[string]any{"limit": limit, "lease_ttl_ms": lease.Milliseconds(), "timeout_ms": 30_000})
		var claimed []Claimed
		if err := call(stopping, "POST", "/v1/leases/wait", body, &claimed); err != nil && stopping.Err() == nil {
			return err
		}
		w.free <- struct{}{}
		for _, each := range claimed {
			<-w.free
			w.start(each)
		}
	}
	done := make(chan struct{})
	go func() { w.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(grace):
		for _, attempt := range w.attempts() {
			attempt.stop(errHandBack)
		}
		<-done
	}
	return nil
}

func (w *Worker) start(claimed Claimed) {
	ctx, stop := context.WithCancelCause(context.Background())
	attempt := &Attempt{Claimed: claimed, stop: stop, goodUntil: time.Now().Add(lease)}
	w.lock.Lock()
	w.held[claimed.Lease] = attempt
	w.lock.Unlock()
	w.running.Go(func() {
		if err := attempt.Run(ctx); err != nil {
			log.Printf("%s: %v", claimed.ID, err)
		}
		stop(nil)
		w.lock.Lock()
		delete(w.held, claimed.Lease)
		w.lock.Unlock()
		w.free <- struct{}{}
	})
}

func main() {
	stopping, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	keeping, end := context.WithCancel(context.Background())
	worker := &Worker{held: make(map[string]*Attempt), free: make(chan struct{}, slots)}
	for range slots {
		worker.free <- struct{}{}
	}
	go worker.keepLeases(keeping)
	fmt.Printf("serves %s as %s\n", strings.Join(lanes, ","), instance)
	if err := worker.work(stopping); err != nil {
		log.Fatal(err)
	}
	end()
	soon, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = call(soon, "POST", "/v1/workers/"+instance+"/goodbye", map[string]any{}, nil)
}

func me(more map[string]any) map[string]any {
	body := map[string]any{"worker_id": host, "worker_instance_id": instance, "lanes": lanes}
	maps.Copy(body, more)
	return body
}

func number(name string, otherwise int) int {
	if value, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return value
	}
	return otherwise
}
