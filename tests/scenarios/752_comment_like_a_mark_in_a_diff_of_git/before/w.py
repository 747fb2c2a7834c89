def write(rows, out):
    for row in rows:
        if row.kind == "head":
            out.begin()
            out.write(row.title)
            out.end()
        elif row.kind == "body":
            out.write(row.text)
            out.flush()
    out.close()
