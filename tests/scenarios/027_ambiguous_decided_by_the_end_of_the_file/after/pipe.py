class Reader:
    def open(self):
        self.ready = True
        return self

    def close(self):
        self.ready = False
        return self


class Writer:
    def open(self):
        self.ready = True
        return self

    def close(self):
        self.ready = False
        return None
