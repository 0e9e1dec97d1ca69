# How a game is played on either board: turns, points and the ending. Only this file interprets the rule choices.

cdef enum:  # endings
    ROUND, ONE_MORE_TURN, AT_ONCE

cdef enum:  # scorings
    RACE, EXPERT, A, B, C

cdef uint8_t value_of[5][TILES]  # by scoring


cdef struct Laid:
    int32_t tile
    Spot spot


cdef union Board:
    Contacts contacts
    Ends ends


cdef struct State:
    int16_t count[WIDTH]  # how many ways each tile can be placed
    int32_t junior  # whether it's a Junior game, which has its own kind of board
    int32_t side, cells  # the width of the window, and the number of cells in it
    int32_t left, top  # the position of the window
    int32_t n_laid
    Laid laid[WIDTH]
    int32_t seats, seat, first, first_out, draw_limit, ending, scoring
    int32_t drawn, draws, turns, over, escaped
    int32_t n_bag
    int32_t n_hand[MAX_SEATS]
    int32_t earned[MAX_SEATS]
    uint8_t bag[WIDTH]
    uint8_t hand[MAX_SEATS][WIDTH]
    int32_t *trace  # where to write events for a test, or NULL
    int32_t n_trace
    double turn_cost  # in solo games, as a fraction of a win
    Board board


cdef struct Rng:
    uint64_t state


cdef inline uint32_t below(Rng *rng, uint32_t limit) noexcept nogil:
    """A random number from 0 to limit - 1 (splitmix64)."""
    cdef uint64_t z
    rng.state += <uint64_t>0x9E3779B97F4A7C15ULL
    z = rng.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBULL
    z = z ^ (z >> 31)
    return <uint32_t>(((z >> 32) * limit) >> 32)


cdef void lay(State *state, int tile, int turned, int slot) noexcept nogil:
    """Put a tile into a slot, whether or not that's legal."""
    cdef int down = slot >= state.cells
    cdef int cell = slot - state.cells if down else slot
    state.laid[state.n_laid].tile = tile
    state.laid[state.n_laid].spot.slot = slot
    state.laid[state.n_laid].spot.turned = turned
    state.n_laid += 1
    if state.junior:
        ends_lay(&state.board.ends, state.count, tile, turned, cell, down)
    else:
        contacts_lay(&state.board.contacts, state.count, tile, turned, cell, down)


cdef int owner_at(State *state, int cell) noexcept nogil:
    """The tile on a cell, or -1 if the cell is free."""
    if state.junior:
        return state.board.ends.owner[cell] - 1
    return state.board.contacts.owner[cell] if state.board.contacts.code[cell] == OCCUPIED else -1


cdef bint in_window(State *state, int slot) noexcept nogil:
    """Is a slot far enough from the edge of the window?"""
    cdef int down = slot >= state.cells
    cdef int cell = slot - state.cells if down else slot
    cdef int x = cell % state.side, y = cell // state.side
    return (
        x >= EDGE
        and y >= EDGE
        and x + (0 if down else 2) < state.side - EDGE
        and y + (2 if down else 0) < state.side - EDGE
    )


cdef bint crowded(State *state) noexcept nogil:
    """Is the list of active slots almost full?"""
    return not state.junior and state.board.contacts.n_active > MAX_ACTIVE - 64


cdef bint make_room(State *state, Spot *spot) noexcept nogil:
    """Center the window on the table and this spot, and return whether they fit."""
    cdef int n, slot, down, x, y, shift, n_laid = state.n_laid
    cdef int left = state.side, right = 0, top = state.side, bottom = 0
    for n in range(n_laid + 1):
        slot = state.laid[n].spot.slot if n < n_laid else spot.slot
        down = slot >= state.cells
        x, y = slot % state.side, slot % state.cells // state.side
        left, top = min(left, x), min(top, y)
        right, bottom = max(right, x + (0 if down else 2)), max(bottom, y + (2 if down else 0))
    if right - left >= state.side - 2 * EDGE or bottom - top >= state.side - 2 * EDGE:
        return False
    x = state.side // 2 - (left + right + 1) // 2
    y = state.side // 2 - (top + bottom + 1) // 2
    shift = y * state.side + x
    memset(&state.board, 0, sizeof(Board))
    memset(state.count, 0, sizeof(state.count))
    state.left -= x
    state.top -= y
    state.n_laid = 0
    for n in range(n_laid):
        lay(state, state.laid[n].tile, state.laid[n].spot.turned, state.laid[n].spot.slot + shift)
    spot.slot += shift
    return True


cdef int points_for(State *state, int tile, int slot) noexcept nogil:
    """The points that a placement is about to earn (6.4)."""
    cdef uint8_t *worth = value_of[state.scoring]
    cdef int down = slot >= state.cells
    cdef int cell = slot - state.cells if down else slot
    cdef int n, k, owner, total = 0, n_seen = 0
    cdef int seen[8]
    for n in range(8):
        owner = owner_at(state, cell + neighbor_cells[state.junior][down][n])
        if owner < 0:
            continue
        if state.scoring >= B:
            if state.scoring == C and n < 2:  # the two ends come first in `neighbor_cells`
                total += worth[tile] * worth[owner]
            else:
                total += worth[tile] + worth[owner]
            continue
        for k in range(n_seen):
            if seen[k] == owner:
                break
        else:
            seen[n_seen] = owner
            n_seen += 1
            total += worth[owner]
    return total + (worth[tile] if state.scoring < B else 0)


cdef bint can_place(State *state, int seat) noexcept nogil:
    """Could this seat place a tile if its turn began now? A lone chameleon can't be placed (5.2)."""
    cdef int k
    if state.n_hand[seat] == 1 and is_chameleon[state.hand[seat][0]]:
        return False
    for k in range(state.n_hand[seat]):
        if state.count[state.hand[seat][k]]:
            return True
    return False


cdef void record_event(State *state, int what, int tile, int slot) noexcept nogil:
    """Record an event for a test: a placement (0 as written, 1 reversed), a draw (2) or a pass (3)."""
    cdef int32_t *event = state.trace + 5 * state.n_trace
    if state.trace:
        event[0], event[1] = what, tile
        event[2], event[3] = slot % state.side + state.left, slot % state.cells // state.side + state.top
        event[4] = slot >= state.cells
        state.n_trace += 1


cdef void end_turn(State *state) noexcept nogil:
    """Start the next player's turn, or end the game (5.3 to 5.5)."""
    cdef int seat, next_seat = (state.seat + 1) % state.seats
    state.drawn = -1
    state.draws = 0
    state.turns += 1
    if state.first_out < 0 and state.n_hand[state.seat] == 0:
        state.first_out = state.seat
    if state.first_out >= 0 and (
        state.ending == AT_ONCE
        or (state.ending == ROUND and next_seat == state.first)
        or (state.ending == ONE_MORE_TURN and next_seat == state.first_out)
    ):
        state.over = True
        return
    if state.n_bag == 0:
        for seat in range(state.seats):
            if can_place(state, seat):
                break
        else:
            state.over = True
            return
    state.seat = next_seat


cdef void place(State *state, int tile, Spot spot) noexcept nogil:
    """Place a tile from the hand and end the turn."""
    cdef int k = 0, seat = state.seat
    cdef uint8_t *hand = state.hand[seat]
    if crowded(state) or (not in_window(state, spot.slot) and not make_room(state, &spot)):
        state.escaped = True
        state.over = True
        return
    if state.scoring != RACE:
        state.earned[seat] += points_for(state, tile, spot.slot)
    lay(state, tile, spot.turned, spot.slot)
    while hand[k] != tile:
        k += 1
    state.n_hand[seat] -= 1
    hand[k] = hand[state.n_hand[seat]]
    record_event(state, spot.turned, tile, spot.slot)
    end_turn(state)


cdef void place_by_number(State *state, int tile, int number) noexcept nogil:
    """Make the tile's placement with this number, from 0 to its `count` - 1, and end the turn."""
    if state.junior:
        place(state, tile, ends_spot(&state.board.ends, tile, number))
    else:
        place(state, tile, contacts_spot(&state.board.contacts, tile, number))


cdef void turn(State *state, Rng *rng) noexcept nogil:
    """Play one turn (3.1 to 3.3); all placements are equally likely."""
    cdef int seat = state.seat
    cdef uint8_t *hand = state.hand[seat]
    cdef int k, tile, total = 0, number
    if state.drawn >= 0:
        if state.count[state.drawn]:
            place_by_number(state, state.drawn, below(rng, state.count[state.drawn]))
            return
    elif not (state.n_hand[seat] == 1 and is_chameleon[hand[0]]):
        for k in range(state.n_hand[seat]):
            total += state.count[hand[k]]
        if total:
            number = below(rng, total)
            for k in range(state.n_hand[seat]):
                if number < state.count[hand[k]]:
                    place_by_number(state, hand[k], number)
                    return
                number -= state.count[hand[k]]
    while state.n_bag and (state.draw_limit == 0 or state.draws < state.draw_limit):
        k = below(rng, state.n_bag)
        tile = state.bag[k]
        state.n_bag -= 1
        state.bag[k] = state.bag[state.n_bag]
        hand[state.n_hand[seat]] = tile
        state.n_hand[seat] += 1
        state.draws += 1
        record_event(state, 2, tile, 0)
        if state.count[tile]:
            place_by_number(state, tile, below(rng, state.count[tile]))
            return
    record_event(state, 3, 0, 0)
    end_turn(state)


cdef int final_score(State *state, int seat) noexcept nogil:
    """The score that decides the game: points, minus leftover tiles in some scorings (6.4).

    In a race, it's minus the number of tiles left.
    """
    cdef int k, total
    if state.scoring == RACE:
        return -state.n_hand[seat]
    total = state.earned[seat]
    if state.scoring >= A:
        for k in range(state.n_hand[seat]):
            total -= value_of[state.scoring][state.hand[seat][k]]
    return total


cdef double share(State *state, int seat) noexcept nogil:
    """A seat's share of a finished game: 1 for a win, a fraction for a shared win, and 0 for a loss.

    In solo games, placing every tile is almost all that counts; fewer turns are slightly better.
    """
    cdef int other, mine, score, winners = 1
    if state.seats == 1:
        return 1 - state.turns * state.turn_cost if state.n_hand[0] == 0 else 0
    mine = final_score(state, seat)
    for other in range(state.seats):
        if other != seat:
            score = final_score(state, other)
            if score > mine:
                return 0
            winners += score == mine
    return 1.0 / winners


cdef double margin(State *state, int seat) noexcept nogil:
    """The lead over the best other seat, in points or tiles."""
    cdef int other, best = -1000000
    if state.seats == 1:
        return final_score(state, 0)
    for other in range(state.seats):
        if other != seat:
            best = max(best, final_score(state, other))
    return final_score(state, seat) - best


