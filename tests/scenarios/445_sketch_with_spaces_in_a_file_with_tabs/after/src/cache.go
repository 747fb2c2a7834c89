package cache

func Get(key string) string {
	value, ok := entries[key]
	if !ok {
		return ""
	}
	return value
}

func Put(key, value string) {
	entries[key] = value
}
