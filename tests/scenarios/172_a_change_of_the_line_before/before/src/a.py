from pager.source import StringSource

print(StringSource)
