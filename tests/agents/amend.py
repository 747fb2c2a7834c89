"""The editor of the person in these tests: changes the one word that the agent wants, or takes everything out."""

import pathlib
import sys

path = pathlib.Path(sys.argv[-1])
text = path.read_text()
path.write_text("" if "GONE" in text else text.replace("TWO", "two and a half"))
