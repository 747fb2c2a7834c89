int main(void) {
  go();
  return 0;
}
