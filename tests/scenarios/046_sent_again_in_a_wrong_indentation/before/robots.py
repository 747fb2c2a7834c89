class Arm:
        def run(self):
            self.start()
            self.stop()


class Leg:
        def run(self):
            self.start()
            self.stop()
