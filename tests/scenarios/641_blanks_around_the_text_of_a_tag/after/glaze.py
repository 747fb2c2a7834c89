GLAZE = "ash"
