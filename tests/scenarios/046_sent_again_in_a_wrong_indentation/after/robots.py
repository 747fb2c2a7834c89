class Arm:
        def run(self):
            self.start()
            self.log("done")
            self.stop()


class Leg:
        def run(self):
            self.start()
            self.stop()
