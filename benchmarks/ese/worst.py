#!/usr/bin/env python3
"""Makes the known worst input of a program of this suite: worst.py PROGRAM N prints it as `slowpath run --input` takes it.

Only for programs whose worst input is no formula of the place and n; the others have one in suite.toml.
"""

import json
import sys

SMALL, LARGE = 7, 40


def merge_sort(n):
    """Undoes the merges. Of the sorted values every second one, counted back from the largest, goes to the left half."""

    def unmerge(values):
        if len(values) < 2:
            return values
        left = values[::-1][::2][: len(values) // 2][::-1]
        taken = set(left)
        return unmerge(left) + unmerge([value for value in values if value not in taken])

    return {"list": unmerge(list(range(n)))}


def vertices(n):
    """As many as n integers make a matrix for, without its diagonal."""
    v = 1
    while (v + 1) * v <= n:
        v += 1
    return v


def dfs(n):
    """All edges among all but the last vertex, and one to the last, from the first."""
    v = vertices(n)
    edges = [int(there < v - 1 or here == 0) for here in range(v - 1) for there in range(v) if there != here]
    return {"edge": edges + [0] * (n - len(edges))}


def quicksort_jdk(n):
    """Undoes the partitions. Each is made to take away as little as it can, all of it smaller than the rest.

    The rest is laid so that the partition leaves the worst list of its length. What is taken away has to be where the pivot
    is chosen from. Below 7 the sort is by insertion, and a falling list the worst.
    """
    if n < SMALL:
        return {"list": list(range(n - 1, -1, -1))}
    best = None
    for low in low_places(n):
        rest = n - len(low)
        keys = [(low.get(place, 4), place) for place in range(n)]  # whatever is left for later is greater than any of `low`
        worst_of_rest = quicksort_worst(rest)
        candidate = [None] * n
        for (_, place), value in zip(partition(keys, max(low.values()))[n - rest :], worst_of_rest):
            candidate[place] = value + 4
        for place, value in low.items():
            candidate[place] = value
        effort = effort_of_pivot(candidate)
        if best is None or effort > best[0]:
            best = (effort, candidate)
    ranks = {value: rank for rank, value in enumerate(sorted(set(best[1])))}
    return {"list": [ranks[value] for value in best[1]]}


KNOWN = {}


def quicksort_worst(n):
    if n not in KNOWN:
        KNOWN[n] = quicksort_jdk(n)["list"]
    return KNOWN[n]


def low_places(n):
    """Places of the small values, and these, each in the ways to try."""
    middle = n // 2
    if n == SMALL:
        return [{middle: 0}]
    if n <= LARGE:
        return [{middle: 0, n - 1: 0}]
    (a, b, _), (c, _, d), (e, _, f) = pivot_groups(n)
    return [{a: 3, b: 2, c: 0, d: 1}, {a: 3, b: 2, e: 0, f: 1}, {c: 0, d: 1, e: 3, f: 2}]


def pivot_groups(n):
    middle, eighth = n // 2, n // 8
    return [
        (0, eighth, 2 * eighth),
        (middle - eighth, middle, middle + eighth),
        (n - 1 - 2 * eighth, n - 1 - eighth, n - 1),
    ]


def effort_of_pivot(values):
    """Comparisons it takes to choose the pivot among nine, in eighths; the rest is for the jumps between them."""
    if len(values) <= LARGE:
        return 0

    def median(i, j, k):
        x, y, z = values[i], values[j], values[k]
        if x < y:
            return (j, 18) if y < z else (k, 25) if x < z else (i, 26)
        return (j, 18) if y > z else (k, 24) if x > z else (i, 26)

    chosen = [median(*group) for group in pivot_groups(len(values))]
    return sum(effort for _, effort in chosen) + median(*(place for place, _ in chosen))[1]


def partition(keys, pivot):
    """Where the sort's partition puts everything, told by `keys`, pairs of a key and a place."""
    x = list(keys)
    n = len(x)

    def swap(i, j):
        x[i], x[j] = x[j], x[i]

    a = b = 0
    c = d = n - 1
    while True:
        while b <= c and x[b][0] <= pivot:
            if x[b][0] == pivot:
                swap(a, b)
                a += 1
            b += 1
        while c >= b and x[c][0] >= pivot:
            if x[c][0] == pivot:
                swap(c, d)
                d -= 1
            c -= 1
        if b > c:
            break
        swap(b, c)
        b += 1
        c -= 1
    moved = min(a, b - a)
    for k in range(moved):
        swap(k, b - moved + k)
    moved = min(d - c, n - d - 1)
    for k in range(moved):
        swap(b + k, n - moved + k)
    return x


PROGRAMS = {"merge_sort": merge_sort, "quicksort_jdk": quicksort_jdk, "dfs": dfs}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in PROGRAMS or not sys.argv[2].isdigit():
        sys.exit(f"usage: worst.py {'|'.join(PROGRAMS)} N")
    print(json.dumps(PROGRAMS[sys.argv[1]](int(sys.argv[2]))))
