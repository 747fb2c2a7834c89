package cache

func Get(key string) string {
	value := entries[key]
	return value
}

func Put(key, value string) {
	entries[key] = value
}
