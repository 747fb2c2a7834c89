int first;
int second;
