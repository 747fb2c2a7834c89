def write(rows, out):
    for row in rows:
        # The other kinds have no title, so keep the text.
        out.write(text_of(row))
    out.close()
