// The worker asks every carrier for news and hands it on.
package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"time"
)

var (
	every = flag.Duration("every", time.Minute, "how often to ask")
	once  = flag.Bool("once", false, "ask once and leave")
	out   = flag.String("out", "outbox", "where events go")
)

// A Carrier tells what happened since a moment.
type Carrier interface {
	Name() string
	Since(ctx context.Context, t time.Time) ([]Event, error)
}

// An Event is one line of a parcel's story.
type Event struct {
	Parcel string    `json:"parcel"`
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
}

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(
		context.Background(), os.Interrupt)
	defer stop()

	carriers := []Carrier{NewToy(), NewPost()}
	last := time.Now().Add(-*every)
	for {
		last = round(ctx, carriers, last)
		if *once {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(*every):
		}
	}
}

// round asks all carriers; one that fails is asked again later.
func round(
	ctx context.Context, carriers []Carrier, last time.Time,
) time.Time {
	now := time.Now()
	for _, c := range carriers {
		events, err := c.Since(ctx, last)
		if err != nil {
			slog.Warn("carrier is down", "name", c.Name(), "err", err)
			return last
		}
		for _, event := range events {
			if err := write(*out, event); err != nil {
				slog.Error("cannot write", "err", err)
				return last
			}
		}
	}
	return now
}
