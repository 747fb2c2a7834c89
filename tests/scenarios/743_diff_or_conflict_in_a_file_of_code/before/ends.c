int first(void) {
  return 1;
}

int last(void) {
  return 9;
}
