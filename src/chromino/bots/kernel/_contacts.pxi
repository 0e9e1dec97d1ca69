# The board for games in which tiles are joined by contacts (4.2 to 4.4): a window of 64 x 64 cells.
#
# Each cell has one of 15 codes (see classes.py). The codes of a slot's three cells give its class, and a class says
# how many ways each tile fits. Placing a tile changes the classes of at most 38 slots. Their old vectors are subtracted
# from `count`, and their new vectors are added, so one lookup tells you how many ways a tile can be placed.

cdef enum:
    SIDE = 64
    CELLS = SIDE * SIDE
    CLASSES = 256
    CODES = 15
    OCCUPIED = 14
    MAX_ACTIVE = 2048  # the largest possible number of slots that accept a tile

cdef uint8_t class_of[4096]  # indexed by three codes of four bits each
cdef uint8_t next_code[CODES][8]
cdef uint8_t ways[CLASSES][WIDTH]  # how a tile fits: 0 not at all, 1 as written, 2 reversed, 3 both
cdef uint8_t fits[CLASSES][WIDTH]  # how many ways a tile fits
cdef int32_t across_slots[2][21]  # the slots that a tile changes, relative to its first cell
cdef int32_t down_slots[2][21]
cdef int32_t n_across_slots[2]
cdef int32_t n_down_slots[2]


cdef struct Contacts:
    int32_t n_active
    uint16_t active[MAX_ACTIVE]  # the slots that accept a tile; slots going down are numbered from CELLS on
    uint8_t code[CELLS]
    uint8_t owner[CELLS]  # the tile on each cell
    uint8_t slot_class[2 * CELLS]
    uint16_t index[2 * CELLS]  # a slot's index in `active`


cdef void set_class(Contacts *board, int16_t *count, int slot, uint8_t new) noexcept nogil:
    cdef uint8_t old = board.slot_class[slot]
    cdef uint16_t last
    cdef int tile
    board.slot_class[slot] = new
    for tile in range(WIDTH):
        count[tile] += <int16_t>(fits[new][tile] - fits[old][tile])
    if old == 0:
        board.index[slot] = board.n_active
        board.active[board.n_active] = slot
        board.n_active += 1
    elif new == 0:
        board.n_active -= 1
        last = board.active[board.n_active]
        board.active[board.index[slot]] = last
        board.index[last] = board.index[slot]


cdef void contacts_lay(Contacts *board, int16_t *count, int tile, int turned, int cell, int down) noexcept nogil:
    """Put a tile on the table with its first square on `cell`, whether or not that's legal."""
    cdef int step = SIDE if down else 1
    cdef int n, slot
    cdef uint8_t new
    cdef uint8_t *code = board.code
    for n in range(3):
        code[cell + n * step] = OCCUPIED
        board.owner[cell + n * step] = tile
    for n in range(8):
        slot = cell + neighbor_cells[0][down][n]
        code[slot] = next_code[code[slot]][colors_of[tile][turned][touched_square[n]]]
    for n in range(n_across_slots[down]):
        slot = cell + across_slots[down][n]
        new = class_of[code[slot] << 8 | code[slot + 1] << 4 | code[slot + 2]]
        if new != board.slot_class[slot]:
            set_class(board, count, slot, new)
    for n in range(n_down_slots[down]):
        slot = cell + down_slots[down][n]
        new = class_of[code[slot] << 8 | code[slot + SIDE] << 4 | code[slot + 2 * SIDE]]
        if new != board.slot_class[slot + CELLS]:
            set_class(board, count, slot + CELLS, new)


cdef Spot contacts_spot(Contacts *board, int tile, int number) noexcept nogil:
    """The tile's placement with this number, from 0 to its `count` - 1."""
    cdef Spot spot
    cdef int k
    cdef uint8_t kind
    spot.slot = spot.turned = 0
    for k in range(board.n_active):
        kind = board.slot_class[board.active[k]]
        if number < fits[kind][tile]:
            spot.slot = board.active[k]
            spot.turned = number if ways[kind][tile] == 3 else ways[kind][tile] - 1
            break
        number -= fits[kind][tile]
    return spot


cdef void fill_contacts():
    """Fill the lookup tables; called once, at import."""
    cdef int n, column, down
    for n, kind in enumerate(CLASS_OF):
        class_of[n // 225 << 8 | n // 15 % 15 << 4 | n % 15] = kind
    for n in range(CODES):
        for column in range(6):
            next_code[n][column] = NEXT_CODE[n * 6 + column]
    for n, ways_of_tiles in enumerate(WAYS):
        for column, way in enumerate(ways_of_tiles):
            ways[n][column] = way
            fits[n][column] = (0, 1, 1, 2)[way]
    for down in range(2):
        step = SIDE if down else 1
        changed = {neighbor_cells[0][down][n] for n in range(8)} | {0, step, 2 * step}
        across = sorted({cell - k for cell in changed for k in range(3)})
        downward = sorted({cell - k * SIDE for cell in changed for k in range(3)})
        n_across_slots[down], n_down_slots[down] = len(across), len(downward)
        for n, offset in enumerate(across):
            across_slots[down][n] = offset
        for n, offset in enumerate(downward):
            down_slots[down][n] = offset
