import abc


class Source:
    def read(self):
        raise NotImplementedError

    def close(self):
        raise NotImplementedError

    def name(self):
        return 'source'
