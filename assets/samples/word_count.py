"""Counts the words of a text, the most frequent first."""

import re
import sys
from collections import Counter


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


if __name__ == "__main__":
    for word, count in words(sys.stdin.read()).most_common(10):
        print(f"{count:6}  {word}")
