import os

TAX = 2
