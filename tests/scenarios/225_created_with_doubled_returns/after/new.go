// hello
// world
