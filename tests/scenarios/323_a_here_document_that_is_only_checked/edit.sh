git apply --check <<'EOF'
--- a/f
+++ b/f
@@ -1 +1 @@
-one
+two
EOF
