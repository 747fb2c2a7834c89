int first;
int second;
int third;
