"""The state of one stroke while it is simulated: columns of the kernels' working arrays.

``discs``: (n, 12) float64, one row a disc, mm, s, g, board frame. Position, unit direction and
speed are those at the disc's own last event, at time ``T0``. ``marks``: (n, 4) int64. ``meets``:
(n, n) float64, s: when each pair would touch if nothing happened before; symmetric.
"""

__all__ = ["DISC_COLUMNS", "FACT_COLUMNS", "MARK_COLUMNS", "OFF_BOARD", "ON_BOARD"]

# Columns of ``discs``.
X, Y, UX, UY = 0, 1, 2, 3
SPEED = 4  # mm/s at T0; 0 = at rest
SLOWING = 5  # deceleration, mm/s^2
T0 = 6
RADIUS = 7
LIGHTNESS = 8  # 1 / mass
SPIN = 9  # rad/s, counter-clockwise
T_OWN = 10  # time of the next event without another disc
T_PAIR = 11  # time of the next contact: the least of its row of ``meets``
DISC_COLUMNS = 12

# Columns of ``marks``.
ON = 0  # 1 = on the board
OVER = 1  # number of the pocket that the centre flies over, -1 = none
OWN = 2  # what happens at T_OWN: one of OWN_*, plus 8 * pocket
PARTNER = 3  # with whom at T_PAIR, -1 = nobody
MARK_COLUMNS = 4

OWN_NONE, OWN_STOP, OWN_WALL_X, OWN_WALL_Y, OWN_ARC, OWN_LIP_IN, OWN_LIP_OUT = range(7)

# Columns of ``facts``, (8,) int64: what a stroke was like.
F_EVENTS = 0
F_CONTACTS = 1  # between discs
F_CAPPED = 2  # 1 = the event or time cap ended it
F_FIRST = 3  # the disc that the striker touched first, -1 = none
F_FRAMES_BEFORE = 4  # bits 3 * side + band: where the striker met the frame before that
F_STRUCK = 5  # bits: the discs that the striker touched
F_RATTLED = 6  # bits: the discs that flew over a pocket and came out again
F_LOGGED = 7  # rows of the log in use (simulate only)
FACT_COLUMNS = 8

# Values of ``pocket``, int8; 0..3 is the number of the pocket.
ON_BOARD = -1
OFF_BOARD = 4

# Kinds of rows in the log, column L_KIND.
LOG_LAUNCH, LOG_STOP, LOG_FRAME, LOG_LIP_IN, LOG_LIP_OUT, LOG_POCKET, LOG_OFF, LOG_CONTACT = range(
    8
)

# Columns of ``log``, (rows, 10) float64; a contact has two rows, that of the lower disc first.
L_T, L_KIND, L_DISC, L_OTHER, L_X, L_Y, L_UX, L_UY, L_SPEED, L_SPIN = range(10)
LOG_COLUMNS = 10
# L_OTHER: the other disc of a contact, the side (0..3) of a frame hit, the number of the pocket.
