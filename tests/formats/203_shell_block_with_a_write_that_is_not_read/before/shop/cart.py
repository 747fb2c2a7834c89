import os

TAX = 1
