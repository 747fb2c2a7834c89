fn low() {
    log();
    wait(1);
}
