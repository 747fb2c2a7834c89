from tool import apply


def test_empty():
    assert apply('') == ''


def test_one():
    patch = """\
--- a/one
+++ b/one
@@ -1 +1 @@
-x
+y
"""
    assert apply(patch) == "y"
