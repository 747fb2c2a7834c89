fn low() {
    wait(1);
}
