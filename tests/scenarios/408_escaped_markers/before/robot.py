def speed():
<<<<<<< ours
    return 1.5
=======
    return 2.0
>>>>>>> theirs
