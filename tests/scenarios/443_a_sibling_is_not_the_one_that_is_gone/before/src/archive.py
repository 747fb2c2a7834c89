class Gzip:
    def __init__(self, path):
        self.file = open(path, "rb")


class Bzip:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.bzip = bz2.BZ2File(self.file)

    def close(self):
        self.bzip.close()


class Plain:
    pass
