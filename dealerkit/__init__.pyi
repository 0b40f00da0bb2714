import pandas as pd

from dealerkit.cards.array import DealArray as DealArray
from dealerkit.cards.array import DealDtype as DealDtype
from dealerkit.cards.deal import Deal as Deal
from dealerkit.cards.deals import Deals as Deals
from dealerkit.doubledummy.leads import leads as leads
from dealerkit.doubledummy.par import par as par
from dealerkit.doubledummy.positions import solve_board as solve_board
from dealerkit.doubledummy.status_codes import SolverError as SolverError
from dealerkit.doubledummy.tables import dd_makes as dd_makes
from dealerkit.doubledummy.tables import dd_table as dd_table
from dealerkit.doubledummy.tables import dd_tricks as dd_tricks
from dealerkit.errors import ArgumentError as ArgumentError
from dealerkit.errors import CompatibilityWarning as CompatibilityWarning
from dealerkit.errors import DealerkitError as DealerkitError
from dealerkit.errors import DealerkitWarning as DealerkitWarning
from dealerkit.errors import DealError as DealError
from dealerkit.errors import DivisionByZeroError as DivisionByZeroError
from dealerkit.errors import EvaluationError as EvaluationError
from dealerkit.errors import FileError as FileError
from dealerkit.errors import MemoryLimitError as MemoryLimitError
from dealerkit.errors import NothingProducedWarning as NothingProducedWarning
from dealerkit.errors import NotYetError as NotYetError
from dealerkit.errors import PredealError as PredealError
from dealerkit.errors import ScriptError as ScriptError
from dealerkit.errors import SkippedWarning as SkippedWarning
from dealerkit.errors import TermsWarning as TermsWarning
from dealerkit.errors import UnknownNameError as UnknownNameError
from dealerkit.errors import UnsatisfiableWarning as UnsatisfiableWarning
from dealerkit.evaluators import evaluate as evaluate
from dealerkit.explanation.explain import explain as explain
from dealerkit.explanation.why import why as why
from dealerkit.formats.library import Library as Library
from dealerkit.formats.reading import read as read
from dealerkit.formats.sample import solved_sample as solved_sample
from dealerkit.language import Script as Script
from dealerkit.language import parse as parse
from dealerkit.language.functions import function as function
from dealerkit.notebook import load_ipython_extension as load_ipython_extension
from dealerkit.scoring import imps as imps
from dealerkit.scoring import matchpoints as matchpoints
from dealerkit.scoring import score as score
from dealerkit.simulation.distribution import distribution as distribution
from dealerkit.simulation.probability import probability as probability
from dealerkit.simulation.result import Result as Result
from dealerkit.simulation.run import deal as deal
from dealerkit.simulation.run import run as run
from dealerkit.statistics import Estimate as Estimate
from dealerkit.statistics import proportion as proportion
from dealerkit.studies import Trial as Trial
from dealerkit.studies import TrialWarning as TrialWarning
from dealerkit.studies import compare as compare
from dealerkit.studies import opc_breakdown as opc_breakdown
from dealerkit.studies.differences import difference as difference

__version__: str
functions: pd.DataFrame
