package notes

const Max = 1
