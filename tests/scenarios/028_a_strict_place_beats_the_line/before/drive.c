void north(void)
{
    speed = 1;
    turn(90);
}

void south(void)
{
        speed = 1;
        turn(90);
}
