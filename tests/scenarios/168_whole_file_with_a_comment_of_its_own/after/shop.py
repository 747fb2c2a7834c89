import json
# the rest of the imports is unchanged


def load(path):
    with open(path, encoding='utf-8') as f:
        return json.load(f)


def total(items):
    return sum(item['price'] for item in items)


def report(items):
    for item in items:
        print(item['name'], item['price'])
