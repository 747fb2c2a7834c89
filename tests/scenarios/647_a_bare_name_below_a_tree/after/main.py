run(fast=True)
