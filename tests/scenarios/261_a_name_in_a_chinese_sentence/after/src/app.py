one
new
