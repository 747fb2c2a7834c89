# -*- coding: cp1251 -*-
x = "e"
y = 1
