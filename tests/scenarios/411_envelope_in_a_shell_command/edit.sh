apply_patch <<'EOF'
*** Begin Patch
*** Update File: robot.toml
@@ [limits]
-weight = 40
+weight = 60
 height = 2.2
*** End Patch
EOF
