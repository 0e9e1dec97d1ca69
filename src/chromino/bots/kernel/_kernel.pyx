# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Random games and playouts in C, without the interpreter lock. twin.py does the same in plain Python.

The board is a window around the table. A game that comes too close to the window's edge is abandoned and counted as
escaped. The caller can play it with the twin instead: that's slower, but just as correct.
"""

from libc.math cimport sqrt
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from chromino.bots.kernel.slot_classes import CLASS_OF, COLOR_NUMBERS, NEXT_CODE, WAYS
from chromino.scoring import value
from chromino.tiles import ALL_TILES, Placement

cdef extern from "<time.h>" nogil:
    struct timespec:
        long tv_sec
        long tv_nsec
    int clock_gettime(int clock, timespec *now)
    int CLOCK_THREAD_CPUTIME_ID

cdef enum:
    TILES = 85
    WIDTH = 96  # the length of a vector of tiles: a whole number of SIMD registers
    MAX_SEATS = 8
    EDGE = 5  # how close a tile may come to the edge of the window
    MAX_CANDIDATES = 512
    PATIENCE = 64  # worlds before a candidate can be dropped
    BATCH = 16  # worlds between checks for candidates to drop

cdef struct Spot:  # where a tile is, and whether it's reversed
    int32_t slot  # its first cell; if it goes down, plus the number of cells in the window
    int32_t turned

cdef uint8_t colors_of[TILES][2][3]  # color numbers by tile and orientation
cdef uint8_t is_chameleon[TILES]
cdef int32_t neighbor_cells[2][2][8]  # by board and direction: the cells that share an edge with a tile, ends first
cdef uint8_t touched_square[8]  # for each of these cells, the square of the tile that it touches

include "_contacts.pxi"
include "_ends.pxi"
include "_play.pxi"

_ENDINGS = {"round": ROUND, "one_more_turn": ONE_MORE_TURN, "at_once": AT_ONCE}
_SCORINGS = {None: RACE, "expert": EXPERT, "a": A, "b": B, "c": C}


cdef double now() noexcept nogil:
    """This thread's CPU time, so other work on the machine doesn't shorten a bot's thinking."""
    cdef timespec time
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec + time.tv_nsec * 1e-9


cdef struct Hidden:
    int32_t seat
    int32_t place  # the tile's index in the hand
    uint8_t allowed[WIDTH]


cdef struct World:
    int32_t n
    Hidden hidden[WIDTH]
    uint8_t may_be_in_bag[WIDTH]


cdef void stir(State *state, World *world, Rng *rng) noexcept nogil:
    """Swap hidden tiles at random, with each other and with the bag, as far as the log allows."""
    cdef int n, i, j, tile, other
    cdef Hidden *mine
    cdef uint8_t *target
    for n in range(3 * world.n):
        i = below(rng, world.n)
        j = below(rng, world.n + state.n_bag)
        mine = &world.hidden[i]
        tile = state.hand[mine.seat][mine.place]
        if j < world.n:
            target = &state.hand[world.hidden[j].seat][world.hidden[j].place]
            if not world.hidden[j].allowed[tile]:
                continue
        else:
            target = &state.bag[j - world.n]
            if not world.may_be_in_bag[tile]:
                continue
        other = target[0]
        if mine.allowed[other]:
            state.hand[mine.seat][mine.place] = other
            target[0] = tile


cdef void read_world(World *world, State *state, hidden, may_be_in_bag) except *:
    """Read a world: for each hidden tile, its seat, the tile, and the tiles that could be there instead."""
    cdef int k
    memset(world, 0, sizeof(World))
    for seat, tile, allowed in hidden:
        numbers = [state.hand[<int>seat][k] for k in range(state.n_hand[<int>seat])]
        world.hidden[world.n].seat = seat
        world.hidden[world.n].place = numbers.index(tile.number)
        for other in allowed:
            world.hidden[world.n].allowed[<int>other.number] = True
        world.n += 1
    for tile in may_be_in_bag:
        world.may_be_in_bag[<int>tile.number] = True


cdef int drop_worse(int n, uint8_t *alive, int32_t *played, double (*sums)[4], int by) noexcept nogil:
    """Drop the candidates that are three standard errors behind the best one, and return how many were dropped.

    `by` is the index of the sum that decides: 0 for shares, 2 for margins. The sum of its squares comes next.
    """
    cdef int k, best = -1, dropped = 0
    cdef double mean, best_mean, error
    for k in range(n):
        if alive[k] and played[k] and (best < 0 or sums[k][by] * played[best] > sums[best][by] * played[k]):
            best = k
    if best < 0:
        return 0
    best_mean = sums[best][by] / played[best]
    for k in range(n):
        if alive[k] and played[k] and k != best:
            mean = sums[k][by] / played[k]
            error = sqrt(
                (sums[k][by + 1] / played[k] - mean * mean) / played[k]
                + (sums[best][by + 1] / played[best] - best_mean * best_mean) / played[best]
            )
            if mean + 3 * error + 1e-9 < best_mean:
                alive[k] = False
                dropped += 1
    return dropped


cdef class Position:
    """A position in the kernel. It's made from a full `Game`, in which the hidden tiles may be guesses."""

    cdef State state

    def __init__(self, game, double turn_cost):
        cdef State *state = &self.state
        cdef int seat
        memset(state, 0, sizeof(State))
        state.junior = game.rules.joining == "ends"
        state.side = ENDS_SIDE if state.junior else SIDE
        state.cells = state.side * state.side
        xs = [x for placement in game.table.laid for x, _ in placement.squares]
        ys = [y for placement in game.table.laid for _, y in placement.squares]
        state.left = (min(xs) + max(xs) + 1) // 2 - state.side // 2
        state.top = (min(ys) + max(ys) + 1) // 2 - state.side // 2
        rules = game.rules
        state.seats, state.seat, state.first = len(game.players), game.seat, game.first
        state.first_out = -1 if game.first_out is None else game.first_out
        state.draw_limit = rules.draw_limit or 0
        state.ending, state.scoring = _ENDINGS[rules.ending], _SCORINGS[rules.scoring]
        state.drawn = -1 if game.drawn is None else game.drawn.number
        state.draws, state.turns, state.over = game.draws, game.turns, game.over
        state.turn_cost = turn_cost
        for tile in game.bag:
            state.bag[state.n_bag] = tile.number
            state.n_bag += 1
        for seat, hand in enumerate(game.hands):
            state.earned[seat] = game.earned[seat]
            for tile in hand:
                state.hand[seat][state.n_hand[seat]] = tile.number
                state.n_hand[seat] += 1
        for placement in game.table.laid:
            self.lay_on(state, placement)

    cdef void lay_on(self, State *state, placement) except *:
        cdef Spot spot = self.encode(placement)
        if not in_window(state, spot.slot) and not make_room(state, &spot) or crowded(state):
            raise OverflowError("the table doesn't fit in the kernel's window")
        lay(state, placement.tile.number, spot.turned, spot.slot)

    cdef Spot encode(self, placement) except *:
        cdef Spot spot
        cdef int x = placement.x - self.state.left, y = placement.y - self.state.top
        if not (0 <= x < self.state.side and 0 <= y < self.state.side):
            raise OverflowError("the placement is outside the kernel's window")
        spot.slot = y * self.state.side + x + (self.state.cells if placement.down else 0)
        spot.turned = placement.colors != placement.tile.colors
        return spot

    def counts(self):
        """How many placements each tile has, by tile number."""
        return [self.state.count[tile] for tile in range(TILES)]

    def counts_after(self, placements):
        """For each of these placements, which must be legal: how many placements each tile has after it."""
        cdef State state
        counts = []
        for placement in placements:
            memcpy(&state, &self.state, sizeof(State))
            self.lay_on(&state, placement)
            counts.append([state.count[number] for number in range(TILES)])
        return counts

    def play_on(self, uint64_t seed):
        """Play a random game from here, and return its events, shares and margins, and whether it escaped.

        Events are placements, drawn tiles, or None for a pass.
        """
        cdef State state
        cdef Rng rng
        cdef int32_t trace[5 * 1024]
        cdef int n, k
        rng.state = seed
        memcpy(&state, &self.state, sizeof(State))
        state.trace = trace
        with nogil:
            while not state.over:
                turn(&state, &rng)
        events = []
        for n in range(state.n_trace):
            what, tile, x, y, down = [trace[5 * n + k] for k in range(5)]
            if what == 2:
                events.append(ALL_TILES[tile])
            elif what == 3:
                events.append(None)
            else:
                events.append(Placement(ALL_TILES[tile].ways[what], x, y, bool(down)))
        seats = range(state.seats)
        shares = [share(&state, seat) for seat in seats]
        return events, shares, [margin(&state, seat) for seat in seats], bool(state.escaped)

    def playouts(self, candidates, hidden, may_be_in_bag, uint64_t seed, double seconds, int max_worlds, int eliminate):
        """Play random games after each candidate, in shuffled worlds that are the same for all candidates.

        `hidden` lists the seat of each hidden tile, the tile, and the tiles that could be there instead;
        `may_be_in_bag` lists the tiles that could be in the bag. It stops after this many seconds or worlds. With
        `eliminate`, candidates that are clearly worse are dropped (1: by shares, 2: by margins), and it stops when only
        one is left.

        Returns `PlayoutSums` for each candidate and, as a second list, how many more of its games escaped.
        """
        cdef State base, work
        cdef World world
        cdef Rng rng
        cdef int32_t tile_of[MAX_CANDIDATES]
        cdef Spot spot_of[MAX_CANDIDATES]
        cdef uint8_t alive[MAX_CANDIDATES]
        cdef double sums[MAX_CANDIDATES][4]
        cdef int32_t played[MAX_CANDIDATES]
        cdef int32_t escaped[MAX_CANDIDATES]
        cdef int n = 0, k, left, done = 0
        cdef double share_, margin_, end = now() + seconds
        if len(candidates) > MAX_CANDIDATES:
            raise OverflowError("too many candidates")
        memset(sums, 0, sizeof(sums))
        memset(played, 0, sizeof(played))
        memset(escaped, 0, sizeof(escaped))
        memcpy(&base, &self.state, sizeof(State))
        rng.state = seed
        for placement in candidates:
            tile_of[n] = placement.tile.number
            spot_of[n] = self.encode(placement)
            alive[n] = True
            n += 1
        read_world(&world, &base, hidden, may_be_in_bag)
        left = n
        with nogil:
            while done < max_worlds and (done == 0 or now() < end) and (left > 1 or not eliminate or done == 0):
                if world.n:
                    stir(&base, &world, &rng)
                for k in range(n):
                    if not alive[k]:
                        continue
                    memcpy(&work, &base, sizeof(State))
                    place(&work, tile_of[k], spot_of[k])
                    while not work.over:
                        turn(&work, &rng)
                    if work.escaped:
                        escaped[k] += 1
                        continue
                    share_ = share(&work, base.seat)
                    margin_ = margin(&work, base.seat)
                    played[k] += 1
                    sums[k][0] += share_
                    sums[k][1] += share_ * share_
                    sums[k][2] += margin_
                    sums[k][3] += margin_ * margin_
                done += 1
                if eliminate and done >= PATIENCE and done % BATCH == 0:
                    left -= drop_worse(n, alive, played, sums, 2 * (eliminate - 1))
        return [(played[k], sums[k][0], sums[k][1], sums[k][2], sums[k][3]) for k in range(n)], [
            escaped[k] for k in range(n)
        ]

    def prospects(self, int seat, hidden, may_be_in_bag, uint64_t seed, int max_worlds):
        """Play random games from here, in `max_worlds` shuffled worlds, and return the results for one seat.

        See `playouts` for the arguments.
        """
        cdef State base, work
        cdef World world
        cdef Rng rng
        cdef int done, played = 0, escaped = 0
        cdef double share_, margin_, shares = 0, share_squares = 0, margins = 0, margin_squares = 0
        memcpy(&base, &self.state, sizeof(State))
        rng.state = seed
        read_world(&world, &base, hidden, may_be_in_bag)
        with nogil:
            for done in range(max_worlds):
                if world.n:
                    stir(&base, &world, &rng)
                memcpy(&work, &base, sizeof(State))
                while not work.over:
                    turn(&work, &rng)
                if work.escaped:
                    escaped += 1
                    continue
                share_ = share(&work, seat)
                margin_ = margin(&work, seat)
                played += 1
                shares += share_
                share_squares += share_ * share_
                margins += margin_
                margin_squares += margin_ * margin_
        return (played, shares, share_squares, margins, margin_squares), escaped


def random_games(position, int n, uint64_t seed):
    """Play n games from a position, each time with bag and hands reshuffled.

    Returns the sum of shares for each seat, the number of turns, and how many games escaped.
    """
    cdef Position start = position
    cdef State state, base
    cdef Rng rng
    cdef double shares[MAX_SEATS]
    cdef int game, seat, place_in_hand, k, swap, turns = 0, escaped = 0
    cdef uint8_t pool[WIDTH]
    cdef int n_pool = 0
    memset(shares, 0, sizeof(shares))
    memcpy(&base, &start.state, sizeof(State))
    rng.state = seed
    with nogil:
        for seat in range(base.seats):
            memcpy(pool + n_pool, base.hand[seat], base.n_hand[seat])
            n_pool += base.n_hand[seat]
        memcpy(pool + n_pool, base.bag, base.n_bag)
        n_pool += base.n_bag
        for game in range(n):
            memcpy(&state, &base, sizeof(State))
            k = 0
            for seat in range(state.seats):
                for place_in_hand in range(state.n_hand[seat]):
                    swap = k + below(&rng, n_pool - k)
                    pool[k], pool[swap] = pool[swap], pool[k]
                    state.hand[seat][place_in_hand] = pool[k]
                    k += 1
            memcpy(state.bag, pool + k, n_pool - k)
            while not state.over:
                turn(&state, &rng)
            turns += state.turns
            if state.escaped:
                escaped += 1
            else:
                for seat in range(state.seats):
                    shares[seat] += share(&state, seat)
    return [shares[seat] for seat in range(base.seats)], turns, escaped


cdef void fill_tables():
    """Fill the lookup tables that both boards need; called once, at import."""
    cdef int n, row, column, down, board
    for tile in ALL_TILES:
        n = tile.number
        is_chameleon[n] = tile.is_chameleon
        for name, scoring in _SCORINGS.items():
            value_of[<int>scoring][n] = value(tile, name) if name else 0
        for row, way in enumerate(tile.ways):
            for column, color in enumerate(way):
                colors_of[n][row][column] = COLOR_NUMBERS[color]
    for board in range(2):
        for down in range(2):
            width = ENDS_SIDE if board else SIDE
            step = width if down else 1
            side = 1 if down else width
            cells = [(-step, 0), (3 * step, 2)] + [(n * step + way, n) for n in range(3) for way in (-side, side)]
            for n, (offset, square) in enumerate(cells):
                neighbor_cells[board][down][n] = offset
                touched_square[n] = square


fill_tables()
fill_contacts()
