// River's part of the contest: it makes the schema, inserts jobs when it is told to, or works.
//
//	river setup         make an empty database ready
//	river serve         for each line on standard input, insert so many jobs, and answer with a line
//	river work SLOTS    be a worker until SIGTERM
//
// A job counts itself in the file of its process, in the form that driver.py reads.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"golang.org/x/sys/unix"
)

const (
	bulk = 1000
	// Calls in flight, so that one is prepared while the server works on the other.
	together = 2
	slotSize = 24
	// The least time between two fetches, and between two notifications of one client: its default of 100 ms would
	// leave most single jobs to the next poll.
	cooldown = 2 * time.Millisecond
)

var text = strings.Repeat("x", 188)

// Noop is the work that every contender gets: 200 bytes of JSON, and nothing to do.
type Noop struct {
	Text string `json:"text"`
}

// Kind names the job.
func (Noop) Kind() string { return "noop" }

type worker struct {
	river.WorkerDefaults[Noop]
	hits *hits
}

func (w *worker) Work(_ context.Context, _ *river.Job[Noop]) error {
	w.hits.hit()
	return nil
}

// hits counts the jobs of this process.
type hits struct {
	lock  sync.Mutex
	mine  []byte
	count uint64
	first uint64
}

func (h *hits) hit() {
	now := monotonic()
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.mine == nil {
		h.mine = mapped()
		h.first = now
	}
	h.count++
	binary.NativeEndian.PutUint64(h.mine[8:], h.first)
	binary.NativeEndian.PutUint64(h.mine[16:], now)
	binary.NativeEndian.PutUint64(h.mine[0:], h.count)
}

// mapped makes the file of this process. It has its name only when it is whole.
func mapped() []byte {
	path := filepath.Join(os.Getenv("BENCH_HITS"), strconv.Itoa(os.Getpid()))
	draft := path + ".draft"
	check(os.WriteFile(draft, make([]byte, slotSize), 0o600))
	file, err := os.OpenFile(draft, os.O_RDWR, 0)
	check(err)
	defer file.Close()
	found, err := unix.Mmap(int(file.Fd()), 0, slotSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	check(err)
	check(os.Rename(draft, path))
	return found
}

// monotonic is the clock that Python calls time.monotonic_ns.
func monotonic() uint64 {
	var now unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_MONOTONIC, &now))
	return uint64(now.Nano())
}

func main() {
	if len(os.Args) < 2 {
		fail("setup, serve or work SLOTS")
	}
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("BENCH_URL"))
	check(err)
	switch os.Args[1] {
	case "setup":
		migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
		check(err)
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
		check(err)
	case "serve":
		serve(ctx, pool)
	case "work":
		slots, err := strconv.Atoi(os.Args[2])
		check(err)
		work(ctx, pool, slots)
	default:
		fail("unknown verb " + os.Args[1])
	}
}

func serve(ctx context.Context, pool *pgxpool.Pool) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{FetchCooldown: cooldown})
	check(err)
	fmt.Println("ready")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		count, err := strconv.Atoi(lines.Text())
		check(err)
		if count == 1 {
			_, err := client.Insert(ctx, Noop{Text: text}, nil)
			check(err)
		} else {
			insertMany(ctx, client, count)
		}
		fmt.Println("done")
	}
}

func insertMany(ctx context.Context, client *river.Client[pgx.Tx], count int) {
	sizes := make(chan int, count/bulk+1)
	for at := 0; at < count; at += bulk {
		sizes <- min(bulk, count-at)
	}
	close(sizes)
	var callers sync.WaitGroup
	for range together {
		callers.Go(func() {
			for size := range sizes {
				jobs := make([]river.InsertManyParams, size)
				for number := range jobs {
					jobs[number].Args = Noop{Text: text}
				}
				_, err := client.InsertManyFast(ctx, jobs)
				check(err)
			}
		})
	}
	callers.Wait()
}

func work(ctx context.Context, pool *pgxpool.Pool, slots int) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{hits: &hits{}})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		FetchCooldown: cooldown,
		Logger:        slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Queues:        map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: slots}},
		Workers:       workers,
	})
	check(err)
	check(client.Start(ctx))
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	<-told
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "river:", why)
	os.Exit(1)
}
