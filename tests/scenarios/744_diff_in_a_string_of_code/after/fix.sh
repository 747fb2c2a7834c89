#!/bin/sh
patch -p1 <<'END'
--- a/one
+++ b/one
@@ -1 +1 @@
-x
+y
END
