import abc


class Source(abc.ABC):
    def read(self): ...

    def close(self): ...

    def name(self):
        return 'source'
