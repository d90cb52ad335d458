"""As much of Hypothesis as the exported test uses: the example, and two draws."""
import random


class strategies:
    class Strategy:
        def __init__(self, draw):
            self.draw = draw

    @staticmethod
    def integers(low, high):
        return strategies.Strategy(lambda: random.Random(7).randint(low, high))

    @staticmethod
    def floats(low, high, width=64):
        return strategies.Strategy(lambda: random.Random(7).uniform(low, high))

    @staticmethod
    def booleans():
        return strategies.Strategy(lambda: True)

    @staticmethod
    def lists(of, min_size, max_size):
        return strategies.Strategy(lambda: [of.draw() for _ in range(min_size)])

    @staticmethod
    def composite(make):
        return lambda: strategies.Strategy(lambda: make(lambda of: of.draw()))


def settings(deadline):
    return lambda test: test


def given(strategy):
    def wrap(test):
        def run(*more):
            for input in list(more) + [strategy.draw(), strategy.draw()]:
                test(input)

        return run

    return wrap


def example(input):
    return lambda test: lambda: test(input)
