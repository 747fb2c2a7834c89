class Reader:
    @property
    def rows(self):
        return self.cursor.rows


class Writer(Base):
    pass
