package store

import (
	"errors"
	"sync"
)

// ErrFull says that no more can be kept.
var ErrFull = errors.New("store is full")

// Store keeps blobs by name.
type Store struct {
	mu    sync.Mutex
	blobs map[string][]byte
	limit int
}

// Put keeps a blob.
func (s *Store) Put(name string, blob []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size()+len(blob) > s.limit {
		return ErrFull
	}
	s.blobs[name] = blob
	return nil
}

// Get finds a blob.
func (s *Store) Get(name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	blob, ok := s.blobs[name]
	return blob, ok
}

func (s *Store) size() int {
	total := 0
	for _, blob := range s.blobs {
		total += len(blob)
	}
	return total
}
