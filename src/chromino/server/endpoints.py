"""All HTTP calls and WebSockets in two tables, which also produce the OpenAPI description."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from chromino.messages.conundrums import (
    AskConundrumHint,
    ConundrumHint,
    ConundrumText,
    Judged,
    LookAtConundrum,
    Missing,
    SolvedConundrum,
    SolvedTimes,
    TryPlacement,
)
from chromino.messages.deals import Commit, Reveal
from chromino.messages.games import Created, FromClient, MyGames, NewGame, State, ToClient, WhichGames, WhichRematch
from chromino.messages.gatherings import (
    FillSeat,
    GatheringState,
    Invitation,
    Lobby,
    NewGathering,
    SeatOnly,
    Sit,
    ToGuest,
)
from chromino.messages.lessons import Lessons, LessonTried, TryLesson
from chromino.messages.meeting import HideSomeone, MyPeople, Seek, SeekState, Someone, WhichPeople
from chromino.messages.people import (
    Account,
    BeListed,
    ChooseFace,
    ClaimCode,
    Leaderboard,
    OneTimeCode,
    RecoveryCode,
    WhichBoard,
)
from chromino.messages.push import PushOffer, PushOn, PushStop
from chromino.messages.records import Checked, CheckRecord, DrawRecord, WhichPicture
from chromino.messages.reviews import GameReview, PathUp, Practice, WhichReview
from chromino.messages.rule_choices import OfferedChoices, Options, RulesToCheck, Tiles, WhichTiles
from chromino.server.coaching import lesson_calls, review_calls
from chromino.server.conundrums import conundrum_calls
from chromino.server.games import game_calls, gathering_calls, meeting_calls
from chromino.server.games.sockets import watch_game, watch_gathering
from chromino.server.http.calls import Endpoint, SocketEndpoint
from chromino.server.people import people_calls, rating_calls
from chromino.server.pictures import picture_calls
from chromino.server.push import push_calls
from chromino.server.services import services


async def healthy(_request: Request, _body: None) -> Response:
    """The process is running."""
    return Response('{"chromino":"healthy"}', media_type="application/json")


async def ready(request: Request, _body: None) -> Response:
    """It can also store games."""
    await services(request).store.ping()
    return Response('{"chromino":"ready"}', media_type="application/json")


_GAME = ("no-such-game", "not-your-game", "broken-game")
_GATHERING = ("no-such-gathering", "nobody", "storage")
_HOST = (*_GATHERING, "not-the-host", "bad-seats")
_NEW = ("bad-rules", "cannot-be-rated", "bad-seats", "bad-name", "nobody", "too-many-games", "storage")

ENDPOINTS = (
    Endpoint("GET", "/api/rules", "All rule choices", game_calls.rule_choices, gives=OfferedChoices),
    Endpoint(
        "POST",
        "/api/rules",
        "Which choices go together",
        game_calls.check_rules,
        RulesToCheck,
        Options,
        problems=("bad-rules",),
    ),
    Endpoint("GET", "/api/tiles", "All tiles in the box, by kind", game_calls.tiles, gives=Tiles, query=WhichTiles),
    Endpoint(
        "POST",
        "/api/games",
        "Begin a game",
        game_calls.start_game,
        NewGame,
        Created,
        status=201,
        problems=_NEW,
        limit="create",
    ),
    Endpoint(
        "GET",
        "/api/games",
        "My games, fifty at a time: those in progress, then finished ones, latest first",
        game_calls.my_games,
        gives=MyGames,
        query=WhichGames,
        limit="list",
    ),
    Endpoint("GET", "/api/games/{game}", "A game as I may see it", game_calls.game_state, gives=State, problems=_GAME),
    Endpoint(
        "GET",
        "/api/games/{game}/record",
        "The record of a finished game",
        game_calls.game_record,
        problems=(*_GAME, "not-over"),
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/review",
        "How a finished game went for a seat",
        review_calls.game_review,
        gives=GameReview,
        problems=(*_GAME, "not-over", "bad-seats", "bad-rules"),
        limit="review",
        query=WhichReview,
    ),
    Endpoint(
        "GET",
        "/api/practice",
        "My choices that cost most, to make again",
        review_calls.practice,
        gives=Practice,
        limit="review",
    ),
    Endpoint("GET", "/api/path", "Which bot I should play next", review_calls.path_up, gives=PathUp, limit="list"),
    Endpoint(
        "POST",
        "/api/games/{game}/rematch",
        "Ask for a rematch",
        game_calls.rematch,
        gives=Created,
        problems=(*_GAME, "not-over", "nobody", "too-many-games"),
        limit="join",
        query=WhichRematch,
    ),
    Endpoint(
        "POST",
        "/api/records",
        "Check a record against the rules",
        game_calls.check_record,
        CheckRecord,
        Checked,
        problems=("bad-record",),
        limit="think",
    ),
    *(
        Endpoint("GET", f"/api/games/{{game}}/{name}", about, answer, problems=_GAME, query=WhichPicture)
        for name, about, answer in (
            ("picture.svg", "A picture of a game, as a spectator sees it", picture_calls.picture_svg),
            ("picture.png", "The same in pixels", picture_calls.picture_png),
            ("picture.gif", "The whole game as an animated GIF", picture_calls.picture_gif),
            ("animated.svg", "The whole game as an animated SVG", picture_calls.picture_animated),
            ("card.png", "A preview picture for a game's link", picture_calls.picture_card),
        )
    ),
    Endpoint("GET", "/api/card.png", "A preview picture for any other link", picture_calls.card),
    Endpoint(
        "POST",
        "/api/pictures",
        "A picture of a record",
        picture_calls.draw_record,
        DrawRecord,
        problems=("bad-record",),
        limit="think",
    ),
    Endpoint(
        "GET",
        "/api/conundrums/{day}/{grade}",
        "The conundrum of a day",
        conundrum_calls.of_the_day,
        gives=ConundrumText,
        problems=("no-such-page",),
        limit="think",
    ),
    Endpoint(
        "POST",
        "/api/conundrums",
        "What a conundrum asks",
        conundrum_calls.look,
        LookAtConundrum,
        ConundrumText,
        problems=("bad-conundrum",),
        limit="think",
    ),
    Endpoint(
        "POST",
        "/api/conundrums/try",
        "Is a place right?",
        conundrum_calls.judge,
        TryPlacement,
        Judged,
        problems=("bad-conundrum",),
    ),
    Endpoint(
        "POST",
        "/api/conundrums/hint",
        "Where to look",
        conundrum_calls.hint,
        AskConundrumHint,
        ConundrumHint,
        problems=("bad-conundrum", "nothing-to-choose"),
    ),
    Endpoint("GET", "/api/solved", "Conundrums I've solved", conundrum_calls.my_solved, gives=SolvedTimes),
    Endpoint(
        "POST",
        "/api/solved",
        "Record that I solved a daily conundrum",
        conundrum_calls.solved,
        SolvedConundrum,
        SolvedTimes,
        problems=("bad-conundrum", "nobody", "storage"),
        limit="think",
    ),
    Endpoint(
        "POST",
        "/api/conundrums/missing",
        "All missing places",
        conundrum_calls.give_up,
        AskConundrumHint,
        Missing,
        problems=("bad-conundrum",),
    ),
    Endpoint(
        "POST",
        "/api/gatherings",
        "Open a table for others",
        gathering_calls.gather,
        NewGathering,
        Created,
        status=201,
        problems=(*_NEW, "lobby-full"),
        limit="create",
    ),
    Endpoint(
        "GET", "/api/gatherings", "Tables that are open to anyone", gathering_calls.lobby, gives=Lobby, limit="list"
    ),
    Endpoint(
        "GET",
        "/api/gatherings/{game}",
        "Who's at a table so far",
        gathering_calls.gathering,
        gives=GatheringState,
        problems=("no-such-gathering",),
    ),
    Endpoint(
        "GET",
        "/api/gatherings/{game}/link",
        "The link to a gathering, and who can open it",
        gathering_calls.invitation,
        gives=Invitation,
        problems=("no-such-gathering",),
    ),
    Endpoint(
        "GET",
        "/api/gatherings/{game}/link.svg",
        "The link as a QR code",
        gathering_calls.link_picture,
        problems=("no-such-gathering",),
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/sit",
        "Sit down, or change your name",
        gathering_calls.sit,
        Sit,
        GatheringState,
        problems=("no-such-gathering", "seats-taken", "bad-name", "nobody", "too-many-games", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/invite",
        "Invite someone I've played with, as the host",
        meeting_calls.invite,
        Someone,
        status=204,
        problems=(*_HOST, "no-such-person", "seats-taken", "too-many-invitations"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/decline",
        "Turn an invitation down",
        meeting_calls.decline,
        status=204,
        problems=("nobody", "storage"),
        limit="join",
    ),
    Endpoint(
        "GET",
        "/api/people",
        "People I've played with, and who invites me",
        meeting_calls.my_people,
        gives=MyPeople,
        limit="list",
        query=WhichPeople,
    ),
    Endpoint(
        "POST",
        "/api/people/hide",
        "Hide someone, or show them again",
        meeting_calls.hide,
        HideSomeone,
        status=204,
        problems=("nobody", "no-such-person", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/people/forget",
        "Take someone off my list, and me off theirs, until we finish another game together",
        meeting_calls.forget,
        Someone,
        status=204,
        problems=("nobody", "no-such-person", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/seek",
        "Look for someone to play with; ask again every two seconds",
        meeting_calls.seek,
        Seek,
        SeekState,
        problems=("bad-rules", "bad-name", "cannot-be-rated", "nobody", "too-many-games", "storage"),
        limit="seek",
    ),
    Endpoint(
        "POST",
        "/api/seek/stop",
        "Stop looking for someone",
        meeting_calls.stop_seeking,
        status=204,
        problems=("storage",),
        limit="seek",
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/leave",
        "Stand up",
        gathering_calls.stand_up,
        gives=GatheringState,
        problems=(*_GATHERING, "not-your-game"),
        may_be_empty=True,
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/remove",
        "Free a seat, as the host",
        gathering_calls.remove,
        SeatOnly,
        GatheringState,
        problems=_HOST,
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/fill",
        "Give a free seat to a bot, as the host",
        gathering_calls.fill,
        FillSeat,
        GatheringState,
        problems=(*_HOST, "bad-name"),
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/begin",
        "Start the game, as the host",
        gathering_calls.begin,
        gives=Created,
        problems=(*_HOST, "bad-rules", "cannot-be-rated"),
    ),
    Endpoint("GET", "/api/me", "Where I'm signed in", people_calls.account, gives=Account),
    Endpoint(
        "POST",
        "/api/me/recovery",
        "A new recovery code, replacing the one I had",
        people_calls.make_recovery_code,
        gives=RecoveryCode,
        problems=("nobody", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/me/sign-out-others",
        "Sign out all my other devices; my recovery code is void then",
        people_calls.sign_out,
        gives=Account,
        problems=("nobody", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/commit",
        "Commit to another part of the deal",
        gathering_calls.commit,
        Commit,
        GatheringState,
        problems=(*_GATHERING, "not-your-seat", "stale"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/reveal",
        "Reveal my part of the deal, once everyone has committed",
        gathering_calls.reveal,
        Reveal,
        Created,
        problems=(*_GATHERING, "not-your-seat", "stale", "bad-part"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/gatherings/{game}/stop",
        "Stop waiting for parts of the deal, as the host: everyone commits again",
        gathering_calls.stop,
        gives=GatheringState,
        problems=_HOST,
    ),
    Endpoint(
        "POST",
        "/api/me/code",
        "A code for another device",
        people_calls.make_code,
        gives=OneTimeCode,
        problems=("nobody", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/me/claim",
        "Use a code on this device",
        people_calls.claim,
        ClaimCode,
        status=204,
        problems=("bad-code", "storage"),
        limit="join",
    ),
    Endpoint(
        "GET",
        "/api/ratings/{family}",
        "The leaderboard of a family of rules: classic, junior, expert or points",
        rating_calls.leaderboard,
        gives=Leaderboard,
        problems=("no-such-page",),
        limit="list",
        query=WhichBoard,
    ),
    Endpoint(
        "POST",
        "/api/me/bot",
        "Declare that a program plays for you: everyone sees it, and you can't take it back",
        people_calls.declare_bot,
        status=204,
        problems=("storage",),
        limit="join",
    ),
    Endpoint("GET", "/api/me/push", "What notifications need", push_calls.offer, gives=PushOffer),
    Endpoint(
        "POST",
        "/api/me/push",
        "Notify me on this browser",
        push_calls.turn_on,
        PushOn,
        status=204,
        problems=("bad-push", "nobody", "storage"),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/me/push/stop",
        "Notify me no more on this browser",
        push_calls.turn_off,
        PushStop,
        status=204,
        problems=("storage",),
        limit="join",
    ),
    Endpoint(
        "POST",
        "/api/me/listed",
        "Join or leave the leaderboards",
        rating_calls.be_listed,
        BeListed,
        status=204,
        problems=("nobody", "bad-name", "storage"),
    ),
    Endpoint(
        "POST",
        "/api/me/face",
        "Choose your face",
        people_calls.choose_face,
        ChooseFace,
        status=204,
        problems=("storage",),
    ),
    Endpoint("POST", "/api/me/erase", "Forget me", people_calls.erase_me, status=204, problems=("nobody", "storage")),
    Endpoint("GET", "/api/lessons", "The steps of the lesson", lesson_calls.lessons, gives=Lessons),
    Endpoint(
        "POST",
        "/api/lessons/{lesson}/try",
        "Is it right in this step?",
        lesson_calls.try_lesson,
        TryLesson,
        LessonTried,
        problems=("no-such-page",),
    ),
    Endpoint("GET", "/healthz", "Is the server running?", healthy),
    Endpoint("GET", "/readyz", "Can it store games?", ready, problems=("storage",)),
)

SOCKETS = (
    SocketEndpoint(
        "/api/games/{game}/play",
        "A game: its state at once and after each change, and an answer to each message",
        watch_game,
        FromClient,
        ToClient,
    ),
    SocketEndpoint(
        "/api/gatherings/{game}/watch",
        "A gathering: its state at once and after each change, until it's over",
        watch_gathering,
        None,
        ToGuest,
    ),
)
