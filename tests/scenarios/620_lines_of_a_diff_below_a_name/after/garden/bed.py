def rows(width, gap):
    return width // gap


def water(bed, litres):
    for plant in bed:
        plant.drink(litres / len(bed))
    return bed
