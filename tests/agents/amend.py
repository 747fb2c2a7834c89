"""The editor of the person in these tests: changes the one word that the agent wants."""

import pathlib
import sys

path = pathlib.Path(sys.argv[-1])
path.write_text(path.read_text().replace("TWO", "two and a half"))
