from pager.source import AnsiSource, StringSource

print(StringSource)
