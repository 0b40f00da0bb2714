"""`TournamentResults`: results of tournaments and matches as frames, scored, and questions about them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import Params, check_integer
from dealerkit.errors import ArgumentError
from dealerkit.runtime.progress import long_work
from dealerkit.tournaments.frames import TournamentFrames, add_remarks
from dealerkit.tournaments.report import PageLinks, ResultsReport, join_facts
from dealerkit.tournaments.rules import EventScoring, describe_rules, make_rules
from dealerkit.tournaments.standings import rank_pairs, score_results, split_rankings, tabulate_ranking

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.studies.sides import PlayedContracts

MOST_REMARKS = 12  # remarks in the text of a card; the frame has all


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class TournamentResults(TournamentFrames, Shown):
    r"""Results of tournaments and matches, as `dealerkit.results` returns them.

    Attributes
    ----------
    results : DataFrame
        A row for each table and board. `deal_id` identifies the deal (hands, dealer, vulnerability), because
        `board` is not unique; `field` identifies the rows whose scores are compared. `ns` and `ew` are the
        ids of pairs, unique within a session; `north` ... `west` are those of players. The contract and its
        result are in `level` (0 if passed out), `strain`, `doubled`, `declarer`, `tricks`, `lead`, `play` and
        `auction`. `score_ns` and `score_ew` are points, seen from each side; `kind` says what the score is;
        `award_ns` and `award_ew` are shares of an artificial score, `assigned_ns` and `assigned_ew` weighted
        scores. Computed are `mp_ns`, `mp_ew` (matchpoints), `imp_ns`, `imp_ew`, `share_ns`, `share_ew` (0 to
        1), `top` and `datum`. ``official_...`` are the points in the file, unchanged.
    boards : DataFrame
        A row for each deal: `deal_id`, `board`, `dealer`, `vulnerable`, `deal` (missing if the file has no
        hands), `n_results`.
    pairs : DataFrame
        A row for each pair and session: `id`, `section`, `direction`, names and ids of the players,
        ``official_...``, and the computed `boards`, `total`, `percent`, `mean`, `rank`.
    remarks : DataFrame
        A row for each unusual thing in the files: `file`, `line`, `board`, `text`.
    scoring : EventScoring or None
        The rules by which the points were computed; None if the results are not scored.
    sessions : tuple of Session
        Event, date and name of each session, by `session_id`.
    expected : dict of int to int
        Number of results that each board should have, by `session_id`.
    winners : int, 1 or 2
        Number of rankings of a session.
    of_file : dict
        Other facts in the files: decimals of points, winners, IMPs carried over by teams.

    Examples
    --------
    >>> import dealerkit as dk, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "evening.csv")
    ...     text = "board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N,10\n1,3,4,3NT,S,9\n1,5,6,4S,N,9\n"
    ...     _ = path.write_text(text, encoding="utf-8", newline="")
    ...     evening = dk.results(path, "matchpoints")
    >>> evening.results[["ns", "score_ns", "mp_ns", "share_ns"]].values.tolist()
    [['1', 420.0, 4.0, 1.0], ['3', 400.0, 2.0, 0.5], ['5', -50.0, 0.0, 0.0]]
    """

    # ------------------------------------------------------------ scoring
    @long_work
    def score(self, scoring: str | EventScoring, **options: Any) -> Self:
        """Return the same results scored by other rules.

        Parameters
        ----------
        scoring : str or EventScoring
            A method, such as "butler"; other rules are `options`.
        **options
            The parameters of `EventScoring`: ``datum="median"``, ``decimals=1`` ...

        Raises
        ------
        ArgumentError
            There is no such method, or a value of another rule is unknown.
        """
        return score_results(self, make_rules(scoring, **options))

    @long_work
    def compare_official(self) -> ResultsReport:
        """Return every result and total whose official points differ from those computed here.

        Returns
        -------
        ResultsReport
            Its frame has `file`, `line`, `session_id`, `board`, `pair`, `column`, `official`, `computed` and
            `difference` for each. Points agree if they differ by at most half a unit of the last decimal that
            the file prints.

        Raises
        ------
        ArgumentError
            The results are not scored.
        """
        from dealerkit.tournaments.official import compare_official

        return compare_official(self)

    # ------------------------------------------------------------ reports
    def ranking(self) -> ResultsReport:
        """Return the ranking of each session, and of each direction if there are two winners.

        Raises
        ------
        ArgumentError
            The results are not scored, or the files have no pairs.
        """
        import pandas as pd

        rankings = split_rankings(self)
        if self.scoring is None or not rankings:
            raise ArgumentError("there is no ranking: the files have no pairs, or the results are not scored")
        tables = [tabulate_ranking(frame, self.scoring, heading) for heading, frame in rankings]
        frame = pd.concat([frame for _, frame in rankings], ignore_index=True)
        title = "Ranking" + self.title.removeprefix("Results")
        return ResultsReport(title, frame, tables, self._describe_size(), self._describe_rules())

    def traveller(
        self, board: int, *, pair: str | int | None = None, session: int | None = None
    ) -> ResultsReport:
        """Return all results of a board, the best for north-south first.

        Parameters
        ----------
        board : int
            Number of the board; if several deals have this number, each has a table.
        pair : str or int, optional
            A pair whose result is marked; if its play is recorded, the cards that cost tricks are listed.
        session : int, optional
            Number of the session, `session_id`; by default all sessions.

        Raises
        ------
        ArgumentError
            No result has this number, or the pair is unknown or has no result on the board.
        """
        from dealerkit.tournaments.boards import build_traveller

        return build_traveller(self, board, session, pair)

    def recap(self, pair: str | int, *, session: int | None = None) -> ResultsReport:
        """Return the boards of a pair, with its opponents, results and points.

        Parameters
        ----------
        pair : str or int
            The id of the pair, or a part of a player's name.
        session : int, optional
            Number of the session, `session_id`, if several have such a pair.

        Raises
        ------
        ArgumentError
            There is no such pair, or there are several.
        """
        from dealerkit.tournaments.boards import build_recap

        return build_recap(self, pair, session)

    def frequencies(self, board: int, *, session: int | None = None) -> ResultsReport:
        """Return how often each score of a board occurs, with its points and contracts.

        Parameters and errors are those of `traveller`.
        """
        from dealerkit.tournaments.boards import count_results

        return count_results(self, board, session)

    @long_work
    def score_in_field(
        self,
        board: int,
        result: str,
        declarer: int | str | None = None,
        *,
        pair: str | None = None,
        session: int | None = None,
    ) -> ResultsReport:
        """Return the points that a hypothetical result would have had on a board.

        Parameters
        ----------
        board : int
            Number of the board.
        result : str
            A contract with its tricks, such as ``4S+1``, ``3NTN=`` or ``2HxE-1``, or the points of
            north-south. Without a seat, declarer is on the side that plays this strain at all tables.
        declarer : int or str, optional
            Seat of declarer.
        pair : str, optional
            Id of a pair whose own result is replaced; by default the result is an additional one.
        session : int, optional
            Number of the session, as for `traveller`.

        Returns
        -------
        ResultsReport
            Its frame has `score_ns`, `mp_ns`, `share_ns` ... for this result.

        Raises
        ------
        ArgumentError
            The board or pair is unknown, the result cannot be read, the board does not show declarer's side,
            or the results are those of matches.
        """
        from dealerkit.tournaments.boards import score_in_field

        return score_in_field(self, board, result, declarer, pair, session)

    def matches(self, table: Sequence[float] | None = None) -> ResultsReport:
        """Return the matches of teams: IMPs of both sides, carry-over, and victory points.

        Parameters
        ----------
        table : sequence of float, optional
            The winner's victory points for margins of 0, 1, 2 ... IMPs; by default those of
            `dealerkit.victory_points`.

        Returns
        -------
        ResultsReport
            Its frame has `session_id`, `team`, `opponents`, `boards`, `won`, `lost`, `carry`, `margin` (IMPs
            of these boards), `vp` and `vp_opponents`.

        Raises
        ------
        ArgumentError
            The results are not those of matches, or the table is not a scale.
        """
        from dealerkit.tournaments.standings import build_matches

        return build_matches(self, table)

    def swings(self, count: int = 10) -> ResultsReport:
        """Return the boards with the largest swings between the best and the worst result for north-south.

        Parameters
        ----------
        count : int
            Maximum number of boards.

        Returns
        -------
        ResultsReport
            Its frame has, for each board, the best and the worst result with scores and pairs, their
            difference `imps`, and the standard deviation `sd` of all scores, in points.

        Raises
        ------
        ArgumentError
            No board has two results.
        """
        from dealerkit.tournaments.boards import list_swings

        return list_swings(self, check_integer("count", count, 1))

    # ------------------------------------------------------------ deals
    @long_work
    def where(self, condition: str | os.PathLike[str], params: Params = ()) -> Self:
        """Return the results of deals that meet a condition of the dealer language.

        Points are those of the whole field; totals and ranks are those of the remaining results.

        Parameters
        ----------
        condition : str or os.PathLike
            A condition as for `Deals.where`, such as ``"hcp(north) + hcp(south) >= 25"``.
        params : mapping or sequence
            Values of script variables.

        Raises
        ------
        ArgumentError
            The files have no cards.
        ScriptError, EvaluationError
            The condition has a mistake, or has no value for a deal.
        """
        from dealerkit.tournaments.selection import select_results

        results = self.results[select_results(self, condition, params)].reset_index(drop=True)
        boards = self.boards.copy()
        boards["n_results"] = np.bincount(results.deal_id, minlength=len(boards)).astype(np.int32)
        pairs = self.pairs
        if self.scoring is not None:
            pairs = rank_pairs(results, pairs[list(self.of_file["pairs"])], self.scoring, self.winners)
        return replace(self, results=results, boards=boards, pairs=pairs)

    @long_work
    def evaluate(self, *names: str, params: Params = (), **expressions: str) -> Self:
        """Return the same results with measures of their deals as columns.

        Parameters
        ----------
        *names : str
            Functions as for `Deals.to_frame`: ``hcp`` makes the columns `hcp_north` ... `hcp_west`, ``fit``
            makes `fit_ns` and `fit_ew`.
        params : mapping or sequence
            Values of script variables.
        **expressions : str
            Expressions of the dealer language, each named by its column.

        Raises
        ------
        ArgumentError
            The files have no cards, or there is already a column with this name.
        """
        from dealerkit.tournaments.selection import evaluate_deals

        return replace(self, results=evaluate_deals(self, names, expressions, params))

    def list_contracts(self) -> PlayedContracts:
        """Return the contracts that were played, with cards, strain, declaring side and tricks.

        `dealerkit.compare` accepts the results as its sample, to test how well evaluators predict tricks at
        the table: ``dk.compare(["hcp", "bergen"], sample=results, target="actual tricks")``.

        Raises
        ------
        ArgumentError
            No result has a contract, tricks and known cards.
        """
        from dealerkit.tournaments.selection import list_contracts

        return list_contracts(self)

    def format_call(self) -> str:
        """Return ``results``, the name of these results in the call that a study states."""
        return "results"

    # ------------------------------------------------------------ double dummy
    @long_work
    def solve(
        self, *, leads: bool = False, plays: bool = False, par: bool = False, threads: int | None = None
    ) -> Self:
        """Return the same results with the solver's numbers added.

        Equal situations are solved once, tables in the file are used, and solved tricks are kept in the
        store, so an interrupted call continues from there. Solved plays are kept only in this process.

        Parameters
        ----------
        leads : bool
            Also solve all opening leads, if a lead is recorded.
        plays : bool
            Also solve each card of recorded plays.
        par : bool
            Also find par of each deal, which needs all of its twenty results.
        threads : int, optional
            Number of threads of the solver.

        Returns
        -------
        TournamentResults
            Its results have the columns `dd` (declarer's double-dummy tricks), `par_ns` (points) and, in
            tricks, `lead_cost`, `defence_cost` (later cards of the defenders), `declarer_cost` and `claim`:
            actual tricks are dd + lead_cost + defence_cost - declarer_cost + claim. Values that were not
            solved are missing.

        Raises
        ------
        ArgumentError
            No result has a contract, a declarer and known cards.
        """
        from dealerkit.tournaments.solving import solve_results

        results, remarks = solve_results(self, leads, plays, par, threads)
        return replace(self, results=results, remarks=add_remarks(self.remarks, remarks))

    @long_work
    def compare_tricks(self, confidence: float = 0.95) -> ResultsReport:
        """Return mean actual minus double-dummy tricks, by level, strain, doubling and declarer's side.

        Parameters
        ----------
        confidence : float in (0, 1)
            Confidence level of the intervals, which treat the tables of a deal as one cluster; groups with
            fewer than ten deals have no interval.

        Raises
        ------
        ArgumentError
            The results are not solved.
        """
        from dealerkit.tournaments.dd_reports import TrickDifferences

        found = TrickDifferences()
        found.update(self)
        return found.report(confidence)

    @long_work
    def compare_leads(self, confidence: float = 0.95) -> ResultsReport:
        """Return the cost of opening leads in tricks: against notrump and suits, by rule, in partner's suit.

        Parameters and errors are those of `compare_tricks`; the results must be solved with ``leads=True``.
        """
        from dealerkit.tournaments.dd_reports import compare_leads

        return compare_leads(self, confidence)

    @long_work
    def compare_plays(self, confidence: float = 0.95) -> ResultsReport:
        """Return what lead, later defence and declarer cost in recorded plays, and the term for claims.

        Parameters and errors are those of `compare_tricks`; the results must be solved with ``plays=True``.
        """
        from dealerkit.tournaments.dd_reports import compare_plays

        return compare_plays(self, confidence)

    @long_work
    def gifts(self, confidence: float = 0.95) -> ResultsReport:
        """Return the tricks that the opponents' cards gave to each pair, compared with the field.

        Parameters
        ----------
        confidence : float in (0, 1)
            Confidence level of the intervals, which are simultaneous; with fewer than ten deals there are
            none.

        Returns
        -------
        ResultsReport
            Its frame has, for each pair, `boards` and, in tricks per board, `given` by the opponents,
            `given_more`, which is `given` minus the mean of all tables for the same side of the board, with
            `lo` and `hi`, and `own` and `own_more`, the same for the pair's own cards.

        Raises
        ------
        ArgumentError
            The results are not solved with ``plays=True`` nor, for leads only, with ``leads=True``; or no
            board has recorded cards from two tables.
        """
        from dealerkit.tournaments.dd_reports import compare_gifts

        return compare_gifts(self, confidence)

    @long_work
    def compare_par(self, count: int = 10) -> ResultsReport:
        """Compare results with par: those farthest from it, split into contract and tricks.

        Parameters
        ----------
        count : int
            Number of results to show; the frame has all.

        Raises
        ------
        ArgumentError
            The results are not solved with ``par=True``.
        """
        from dealerkit.tournaments.dd_reports import compare_par

        return compare_par(self, check_integer("count", count, 1))

    # ------------------------------------------------------------ luck and skill
    @long_work
    def skill(self, confidence: float = 0.95, seed: int = 0) -> ResultsReport:
        """Return how much of the ranking is skill: reliability, shrunken means, parts of scores, and ranks.

        Parameters
        ----------
        confidence : float in (0, 1)
            Confidence level of the intervals: those of ranks are separate, those of means simultaneous.
        seed : int
            Seed of the 2,000 resamples of the boards.

        Returns
        -------
        ResultsReport
            Its frame has, for each pair, `boards`, `mean` (per cent or IMPs), `shrunken`, `contract_part`,
            `play_part`, `rank`, `rank_lo`, `rank_hi`, `mean_lo`, `mean_hi`, `first` (the share of resamples
            in which it was first), `reliability`, `reliability_lo`, `reliability_hi`, `sd_skill` and
            `sd_boards`. With fewer than ten deals there are no intervals.

        Raises
        ------
        ArgumentError
            The results are not scored in a field.
        """
        from dealerkit.tournaments.skill import analyse_skill

        return analyse_skill(self, confidence, seed)

    def parts(self, pair: str | int, *, session: int | None = None) -> ResultsReport:
        """Return the boards of a pair with the contract part and the play part of each score.

        The contract part is the mean of all tables of the field with the same contract and declaring side,
        minus the average; the play part is the rest, which is missing if no other table has this contract.

        Parameters and errors are those of `recap`.
        """
        from dealerkit.tournaments.skill import analyse_pair

        return analyse_pair(self, pair, session)

    @long_work
    def players(self, confidence: float = 0.95) -> ResultsReport:
        """Return boards and means of all players over all sessions, with means shrunk by their reliability.

        Players are recognised by their numbers in the files, otherwise by their names.

        Parameters
        ----------
        confidence : float in (0, 1)
            Confidence level of the intervals of means, in which deals are clusters.

        Raises
        ------
        ArgumentError
            The files name no players, or the results are not scored in a field.
        """
        from dealerkit.tournaments.players import PlayerMeans

        found = PlayerMeans()
        found.update(self)
        return found.report(confidence)

    # ------------------------------------------------------------ contents of the card
    @property
    def title(self) -> str:
        """The name of the event, or the number of sessions."""
        events = list(dict.fromkeys(session.event for session in self.sessions if session.event))
        if len(events) == 1:
            return f"Results of {events[0]}"
        return f"Results of {format_count(len(self.sessions), 'session')}"

    def card(self) -> Card:
        """The card: what was read, how it is scored, the ranking, the remarks."""
        return self._build_card()

    def _build_card(self, links: PageLinks | None = None) -> Card:
        """Return the card; in a page, pairs are links to their parts."""
        return Card(
            self.title,
            about=[join_facts(self._describe_size()), *self._describe_rules()],
            tables=[*self._list_rankings(links), *self._list_remarks()],
            charts=self._list_charts(),
        )

    def _build_page(self) -> str:
        """Return a complete HTML page as one file: the ranking, then each board and each pair, collapsed."""
        from dealerkit.appearance.page import render_page
        from dealerkit.tournaments.pages import build_body

        links = PageLinks(self)
        return render_page(self.title, build_body(self, self._build_card(links), links))

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment
        from dealerkit.tournaments.pages import build_body, is_small

        if not is_small(self):
            return super()._repr_html_()
        links = PageLinks(self)
        return render_fragment(build_body(self, self._build_card(links), links, complete=False), self.text)

    def to_frame(self) -> pd.DataFrame:
        """Return the frame of results."""
        return self.results

    def _list_charts(self) -> list[Chart]:
        """Return the plot of how often each contract was played."""
        from dealerkit.tournaments.pictures import draw_contracts

        known = self.results[self.results.level.notna()]
        if not len(known):
            return []
        passed = known.level == 0
        names = known.level.astype(str) + known.strain.astype(str).replace("N", "NT")
        counts = names.mask(passed, "pass").value_counts()
        return [Chart("contracts", partial(draw_contracts, counts))]

    def _describe_size(self) -> list[Note]:
        """Return the numbers of results, boards and pairs."""
        counts = [
            format_count(len(self.results), "result"),
            format_count(len(self.boards), "board"),
            format_count(len(self.pairs), "pair"),
        ]
        if len(self.sessions) > 1:
            counts.append(format_count(len(self.sessions), "session"))
        return list(counts)

    def _describe_rules(self) -> list[Note]:
        """Return how the results were scored, in sentences."""
        if self.scoring is None:
            return ['The results are not scored; results.score("matchpoints") scores them.']
        notes: list[Note] = [describe_rules(self.scoring, self.results)]
        sizes = sorted(set(self.expected.values()))
        if sizes and self.scoring.method in ("matchpoints", "cross-imps"):
            listed = " or ".join(map(str, sizes))
            notes.append(f"Expected results per board: {listed}.")
        return notes

    def _list_rankings(self, links: PageLinks | None = None) -> list[Table]:
        """Return the rankings: of each session, and direction if there are two winners."""
        if self.scoring is None or not len(self.pairs):
            return []
        if self.scoring.method in ("team imps", "board-a-match"):
            from dealerkit.tournaments.standings import sum_matches, tabulate_matches

            return [tabulate_matches(sum_matches(self))]
        tables = []
        for heading, frame in split_rankings(self):
            keys = zip(frame.session_id.tolist(), frame.id.tolist(), strict=True)
            shown = None if links is None else [links.link_pair(*key) for key in keys]
            tables.append(tabulate_ranking(frame, self.scoring, heading, shown))
        return tables

    def _list_remarks(self) -> list[Table]:
        """Return the remarks as a table; its heading says so if some are left out."""
        if not len(self.remarks):
            return []
        columns = [
            Column("file", kind="text", longest=24), Column("line", kind="count"),
            Column("board", kind="count"), Column("text", "remark", kind="sentence"),
        ]  # fmt: skip
        frame = self.remarks.astype(object).where(self.remarks.notna(), None)
        rows = [tuple(row) for row in frame.itertuples(index=False)]
        heading = format_count(len(rows), "remark")
        if len(rows) > MOST_REMARKS:
            heading += f", the first {MOST_REMARKS}; the frame has all"
        return [Table(columns, rows[:MOST_REMARKS], heading, is_detail=True)]

    def __repr__(self) -> str:
        return f"<TournamentResults: {', '.join(map(str, self._describe_size()))}>"
