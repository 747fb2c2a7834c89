fn low() {
    wait(2);
}
