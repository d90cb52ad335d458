"""What happens while one waits."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Optional

from .findings import SizeResult, make


@dataclass(frozen=True)
class Event:
    """Something that happened in a search; which members there are depends on `kind`.

    compiling; begun (`seconds` of the whole); trying and tried (a `technique` at a `size`, with the `seconds` left or how many paths or
    inputs it `tried`); worse (a greater `cost` is known of a `size`); replaying and averaging (a `size`); done (its `result`);
    disagreement (two engines do not agree, which is a bug of slowpath: `text`).
    """

    kind: str
    size: Optional[int] = None
    technique: Optional[str] = None
    cost: Optional[int] = None
    tried: Optional[int] = None
    seconds: Optional[float] = None
    text: Optional[str] = None
    result: Optional[SizeResult] = field(default=None, metadata={"of": SizeResult})

    @staticmethod
    def of_json(text: str) -> Event:
        return make(Event, json.loads(text))
