package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// write puts an event where the core finds it: first under a
// hidden name, so that nobody reads half of it.
func write(dir string, event Event) error {
	data, err := json.Marshal(event)
	if err != nil {
		return err
	}
	name := event.Parcel + "-" + event.Kind + ".json"
	hidden := filepath.Join(dir, "."+name)
	if err := os.WriteFile(hidden, data, 0o644); err != nil {
		return err
	}
	return os.Rename(hidden, filepath.Join(dir, name))
}
