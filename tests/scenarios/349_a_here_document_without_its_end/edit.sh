cd sub && patch -p1 <<'EOF'
--- a/f
+++ b/f
@@ -1 +1 @@
-one
+two
