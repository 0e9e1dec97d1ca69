# The board for Junior games (6.3), in which tiles are joined end to end: a window of 128 x 128 cells, because lines
# grow long.
#
# A joint is a short edge or a wild center. We store the free cell next to it, and the direction that leads there.
# Junior tables have at most a dozen free joints. After each tile, we update the list, and compute `count` from their
# colors.

cdef enum:
    ENDS_SIDE = 128
    ENDS_CELLS = ENDS_SIDE * ENDS_SIDE
    MAX_JOINTS = 512
    WILD = 5


cdef struct Joint:
    int32_t cell
    int32_t step  # away from the tile on the table
    uint8_t color
    uint8_t in_line  # is there room for a tile that continues the line from here?
    uint8_t crosswise  # is there room for a chameleon that lies crosswise, with its center here?


cdef struct Ends:
    int32_t n_joints
    Joint joint[MAX_JOINTS]
    uint8_t owner[ENDS_CELLS]  # the tile on each cell, plus 1


cdef inline bint is_free(uint8_t *owner, int cell) noexcept nogil:
    return owner[cell] == 0


cdef void check_room(Ends *board, Joint *joint) noexcept nogil:
    """Find out whether there's room at a joint for a tile that touches nothing else."""
    cdef uint8_t *owner = board.owner
    cdef int cell = joint.cell, step = joint.step
    cdef int side = ENDS_SIDE if step == 1 or step == -1 else 1
    cdef int n, probe
    joint.in_line = is_free(owner, cell + 3 * step)
    joint.crosswise = is_free(owner, cell) and is_free(owner, cell + step)
    for n in range(3):
        probe = cell + n * step
        if not (is_free(owner, probe) and is_free(owner, probe - side) and is_free(owner, probe + side)):
            joint.in_line = False
    for n in range(2):
        side = -side
        probe = cell + side
        if not (
            is_free(owner, probe)
            and is_free(owner, probe + side)
            and is_free(owner, probe + step)
            and is_free(owner, probe - step)
        ):
            joint.crosswise = False


cdef void add_joint(Ends *board, int cell, int step, int color) noexcept nogil:
    cdef Joint *joint = &board.joint[board.n_joints]
    joint.cell = cell
    joint.step = step
    joint.color = color
    board.n_joints += 1


cdef void ends_lay(Ends *board, int16_t *count, int tile, int turned, int cell, int down) noexcept nogil:
    """Put a tile on the table with its first square on `cell`, and update `count`."""
    cdef int step = ENDS_SIDE if down else 1
    cdef int side = 1 if down else ENDS_SIDE
    cdef int n, k, first, last, kept = 0, n_wild = 0, n_crosswise = 0
    cdef int n_by_color[6]
    cdef uint8_t *color = colors_of[tile][turned]
    for n in range(3):
        board.owner[cell + n * step] = tile + 1
    add_joint(board, cell - step, -step, color[0])
    add_joint(board, cell + 3 * step, step, color[2])
    if color[1] == WILD:
        add_joint(board, cell + step - side, -side, WILD)
        add_joint(board, cell + step + side, side, WILD)
    for k in range(6):
        n_by_color[k] = 0
    for n in range(board.n_joints):
        if is_free(board.owner, board.joint[n].cell):
            board.joint[kept] = board.joint[n]
            check_room(board, &board.joint[kept])
            n_by_color[board.joint[kept].color] += board.joint[kept].in_line
            n_crosswise += board.joint[kept].crosswise
            kept += 1
    board.n_joints = kept
    n_wild = n_by_color[WILD]
    for k in range(TILES):
        first, last = colors_of[k][0][0], colors_of[k][0][2]
        if first == last:
            count[k] = n_by_color[first] + n_wild
        else:
            count[k] = n_by_color[first] + n_by_color[last] + 2 * n_wild + (2 * n_crosswise if is_chameleon[k] else 0)


cdef Spot ends_spot(Ends *board, int tile, int number) noexcept nogil:
    """The tile's placement with this number, from 0 to its `count` - 1."""
    cdef Spot spot
    cdef Joint *joint
    cdef int n, turned, down, cell, color
    cdef int ways_of_tile = 1 if colors_of[tile][0][0] == colors_of[tile][0][2] else 2
    spot.slot = spot.turned = 0
    for n in range(board.n_joints):
        joint = &board.joint[n]
        down = joint.step != 1 and joint.step != -1
        if joint.in_line:
            for turned in range(ways_of_tile):
                # Going right or down, the tile's first square is at the joint; otherwise, its last square is.
                color = colors_of[tile][turned][0 if joint.step > 0 else 2]
                if joint.color == WILD or joint.color == color:
                    if number == 0:
                        cell = joint.cell if joint.step > 0 else joint.cell + 2 * joint.step
                        spot.slot = cell + (ENDS_CELLS if down else 0)
                        spot.turned = turned
                        return spot
                    number -= 1
        if joint.crosswise and is_chameleon[tile]:
            if number < 2:
                spot.slot = joint.cell - 1 if down else joint.cell - ENDS_SIDE + ENDS_CELLS
                spot.turned = number
                return spot
            number -= 2
    return spot
