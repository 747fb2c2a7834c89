import json


def load(path):
    with open(path) as f:
        return json.load(f)


def total(items):
    return sum(item['price'] for item in items)


def report(items):
    for item in items:
        print(item['name'], item['price'])
