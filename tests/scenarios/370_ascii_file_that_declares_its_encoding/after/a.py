# -*- coding: cp1251 -*-
x = "e"
y = "Привет"
