int fresh;
