"""The questions on the start page. Each module has the example of a question and the call that answers it."""

from __future__ import annotations

from dealerkit.notebook.explorer.questions import (
    contract,
    evaluators,
    frequency,
    lead,
    partner,
    practice,
    results,
    suit,
    sweep,
)
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question

QUESTIONS = {
    module.QUESTION.key: module.QUESTION
    for module in (frequency, partner, contract, lead, practice, results, suit, sweep, evaluators)
}

__all__ = ["QUESTIONS", "Answers", "Field", "Question"]
