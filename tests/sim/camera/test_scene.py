"""Scenes: reproducible, recordable, wide enough, and refused when impossible."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import nan

import cv2
import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from carrom.errors import SchemaError
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from sim.camera import (
    BaseCircleStyle,
    Camera,
    CornerStyle,
    Cover,
    DiscPattern,
    DiscState,
    FrameStyle,
    Gobo,
    Grain,
    Lamp,
    LampShape,
    Light,
    NetStyle,
    Prop,
    PropKind,
    Rosette,
    Scene,
    SceneDisc,
    SceneError,
    Sensor,
    TableKind,
    Truth,
    contact_sheet,
    discs_of,
    prepare,
    render,
    render_many,
    sample_scene,
)
from sim.camera.surface_texture import surface_texture
from sim.camera.view import view_of

SMALL = (320, 240)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_seed_gives_the_same_bits(seed: int) -> None:
    first = render(sample_scene(seed, size_px=SMALL))
    surface_texture.cache_clear()
    view_of.cache_clear()
    again = render(sample_scene(seed, size_px=SMALL))
    assert (first.image_bgr == again.image_bgr).all()
    assert first.truth == again.truth


def test_workers_give_the_same_pictures_in_order() -> None:
    seeds = [4, 5, 6]
    alone = list(render_many(seeds, size_px=SMALL))
    with ThreadPoolExecutor(2) as pool:
        together = list(render_many(seeds, pool, size_px=SMALL, chunk=1))
    for a, b in zip(alone, together, strict=True):
        assert (a.image_bgr == b.image_bgr).all()


def test_a_kit_shares_its_board_and_nothing_else() -> None:
    one, two = (sample_scene(seed, kit=7, size_px=SMALL) for seed in (1, 2))
    assert (one.board, one.board_look, one.disc_looks) == (
        two.board,
        two.board_look,
        two.disc_looks,
    )
    assert one.table == two.table
    assert one.camera != two.camera
    assert one.light != two.light
    assert one.discs != two.discs


def test_neighbours_share_a_kit() -> None:
    alone = render(sample_scene(5, kit=1, size_px=SMALL))
    together = list(render_many([4, 5], size_px=SMALL, stills_per_kit=4))
    assert (together[1].image_bgr == alone.image_bgr).all()


def test_impossible_shares() -> None:
    with pytest.raises(SceneError, match="stills_per_kit"):
        render_many([1], stills_per_kit=0)


def test_threads_of_opencv_change_nothing() -> None:
    pictures = []
    for threads in (1, 2):
        cv2.setNumThreads(threads)
        pictures.append(render(sample_scene(12, size_px=SMALL)).image_bgr)
    assert (pictures[0] == pictures[1]).all()


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [sample_scene(seed) for seed in range(700)]


def test_every_style_is_reached(scenes: list[Scene]) -> None:
    looks = [scene.board_look for scene in scenes]
    seen = {
        Grain: {look.grain for look in looks},
        Rosette: {look.marks.rosette for look in looks},
        BaseCircleStyle: {look.marks.base_circles for look in looks},
        FrameStyle: {look.frame.style for look in looks},
        CornerStyle: {look.frame.corner for look in looks},
        NetStyle: {look.nets.style for look in looks},
        DiscPattern: {disc.pattern for scene in scenes for disc in scene.disc_looks},
        DiscState: {disc.state for scene in scenes for disc in scene.discs},
        LampShape: {lamp.shape for scene in scenes for lamp in scene.light.lamps},
        Gobo: {scene.light.gobo for scene in scenes},
        TableKind: {scene.table.kind for scene in scenes},
        PropKind: {prop.kind for scene in scenes for prop in scene.props},
        BoardFamily: {scene.board.family for scene in scenes},
    }
    for styles, reached in seen.items():
        assert reached == set(styles), styles


def test_the_ranges_are_wide(scenes: list[Scene]) -> None:
    tilts = [scene.camera.tilt_rad for scene in scenes]
    assert max(tilts) <= 0.62
    assert np.quantile(tilts, 0.9) > 0.3
    views = [np.degrees(scene.camera.horizontal_view_rad) for scene in scenes]
    assert min(views) < 60 < 95 < max(views)
    assert 0.07 < np.mean([not scene.discs for scene in scenes]) < 0.2
    assert 0.2 < np.mean([bool(scene.hands) for scene in scenes]) < 0.6
    assert len({scene.board for scene in scenes}) > 650


@pytest.mark.parametrize("rosette", Rosette)
@pytest.mark.parametrize("frame", [FrameStyle.BLACK, FrameStyle.METAL])
def test_styles_can_be_drawn(
    rosette: Rosette, frame: FrameStyle, plain_scene: Callable[..., Scene]
) -> None:
    scene = sample_scene(11, family=BoardFamily.ICF, size_px=SMALL)
    look = scene.board_look
    changed = replace(
        look,
        marks=replace(look.marks, rosette=rosette, strength=1.0),
        frame=replace(look.frame, style=frame, inlay=True),
    )
    drawn = render(replace(scene, board_look=changed, hands=()))
    assert drawn.image_bgr.shape == (240, 320, 3)


@pytest.mark.parametrize("pattern", DiscPattern)
def test_patterns_differ(pattern: DiscPattern) -> None:
    from sim.camera.disc_face import face_sprite

    look = sample_scene(1, family=BoardFamily.ICF).disc_looks[3]
    plain = replace(look, pattern=DiscPattern.PLAIN, second=(0.0, 0.9, 0.9), colour=(0.9, 0.1, 0.1))
    sprite = face_sprite(replace(plain, pattern=pattern), 0)
    relief = {DiscPattern.PLAIN, DiscPattern.RINGS, DiscPattern.MANY_RINGS, DiscPattern.DISH}
    assert (sprite == face_sprite(plain, 0)).all() == (pattern in relief)


def test_json_round_trips() -> None:
    for seed in range(30):
        scene = sample_scene(seed, size_px=SMALL)
        assert Scene.from_json(scene.to_json()) == scene
    truth = render(sample_scene(3, size_px=SMALL)).truth
    assert Truth.from_json(truth.to_json()) == truth


def test_json_of_something_else() -> None:
    with pytest.raises(SchemaError):
        Scene.from_json('{"schema": 1, "camera": 5}')
    with pytest.raises(SchemaError):
        Truth.from_json("no")


def bad_scenes() -> list[tuple[str, dict[str, object]]]:
    white = PieceKind.WHITE
    return [
        ("discs", {"discs": (SceneDisc(PieceKind.RED, 0, 0),)}),
        ("discs", {"discs": (SceneDisc(white, nan, 0),)}),
        ("radius_mm", {"discs": (SceneDisc(white, 0, 0, radius_mm=-3.0),)}),
        ("lamps", {"light": Light((Lamp((0.0, 0.0, -10.0)),))}),
        ("exposure", {"sensor": Sensor(exposure=-1.0)}),
        ("jpeg_quality", {"sensor": Sensor(jpeg_quality=300)}),
        ("position_mm", {"camera": Camera(640, 480, 500.0, (0.0, 0.0, 20.0))}),
    ]


@pytest.mark.parametrize(("where", "bad"), bad_scenes())
def test_impossible_scenes(
    where: str, bad: dict[str, object], plain_scene: Callable[..., Scene]
) -> None:
    with pytest.raises(SceneError, match=where):
        plain_scene(**bad)


def test_a_camera_with_the_board_behind_it(plain_scene: Callable[..., Scene]) -> None:
    """Found while rendering pictures without a board: blurs of NaN pixels crashed deep inside."""
    away = Camera(320, 240, 300.0, (3000.0, 0.0, 800.0), look_at_mm=(9000.0, 0.0))
    with pytest.raises(SceneError, match="look_at_mm"):
        replace(plain_scene(), camera=away)


def test_two_looks_of_one_kind(plain_scene: Callable[..., Scene]) -> None:
    looks = plain_scene().disc_looks
    with pytest.raises(SceneError, match="disc_looks"):
        plain_scene(disc_looks=(*looks, looks[0]))


def test_a_stage_is_shared_between_frames(plain_scene: Callable[..., Scene]) -> None:
    board = plain_scene().board
    scene = plain_scene(discs=discs_of(opening_position(board)))
    stage = prepare(scene)
    before = stage.picture.copy()
    assert (render(scene, stage=stage).image_bgr == render(scene).image_bgr).all()
    assert (stage.picture == before).all()


def test_a_moving_disc_is_smeared_about_its_place(plain_scene: Callable[..., Scene]) -> None:
    disc = SceneDisc(PieceKind.WHITE, 0, 0, velocity_mm_s=(1500.0, 0.0))
    still = plain_scene(discs=(replace(disc, velocity_mm_s=(0.0, 0.0)),))
    moving = plain_scene(discs=(disc,), sensor=Sensor(shutter_s=1 / 60))
    sharp, soft = (render(scene).image_bgr[..., 1].astype(float) for scene in (still, moving))
    columns = np.arange(sharp.shape[1])
    middle = [(image.sum(axis=0) * columns).sum() / image.sum() for image in (sharp, soft)]
    assert middle[0] == pytest.approx(middle[1], abs=1.0)
    assert (soft > 60).any(axis=0).sum() > (sharp > 60).any(axis=0).sum() + 8


def test_a_rolling_shutter_reads_low_rows_later(plain_scene: Callable[..., Scene]) -> None:
    discs = tuple(
        SceneDisc(PieceKind.WHITE, 0, y, velocity_mm_s=(1000.0, 0.0)) for y in (250.0, -250.0)
    )
    upper, lower = render(plain_scene(discs=discs, sensor=Sensor(readout_s=0.03))).truth.discs
    assert upper.centre_px[0] < lower.centre_px[0] - 5
    assert upper.x_mm < 0 < lower.x_mm


def test_hands_hide_discs_and_are_masked() -> None:
    found = 0
    for seed in range(40):
        scene = sample_scene(seed, size_px=SMALL)
        if not scene.hands or found == 3:
            continue
        picture = render(scene)
        assert len(picture.hand_masks) == len(picture.truth.hand_boxes_px)
        bare = render(replace(scene, hands=()))
        for a, b in zip(picture.truth.discs, bare.truth.discs, strict=True):
            assert a.visible <= b.visible + 1e-6
            hand = sum(part.share for part in a.hidden if part.by is Cover.HAND)
            assert a.visible + hand == pytest.approx(b.visible, abs=0.02)
        found += 1
    assert found == 3


def test_corners_as_seen() -> None:
    truth = render(sample_scene(2, size_px=SMALL)).truth
    corners = np.array(truth.corners_as_seen())
    assert set(truth.corners_as_seen()) == set(truth.corners_px)
    assert corners[0].sum() == corners.sum(axis=1).min()


def test_below_the_board_nothing_shows_through() -> None:
    scene = replace(sample_scene(9, size_px=SMALL), hands=(), props=())
    under = Prop(PropKind.PHONE, 0.0, 0.0, z_mm=-scene.table.drop_mm)
    bare, same = render(scene), render(replace(scene, props=(under,)))
    assert (bare.image_bgr == same.image_bgr).all()


@pytest.mark.parametrize("kind", PropKind)
def test_props_are_seen(kind: PropKind, plain_scene: Callable[..., Scene]) -> None:
    camera = Camera.over(size_px=SMALL, distance_mm=1800)
    prop = Prop(kind, 520.0, 60.0, z_mm=-30.0, seed=3)
    bare, with_prop = plain_scene(camera), plain_scene(camera, props=(prop,))
    assert (render(bare).image_bgr != render(with_prop).image_bgr).any()


def test_a_contact_sheet() -> None:
    sheet = contact_sheet([1, 2, 3], columns=2, cell_px=(80, 60))
    assert sheet.shape == (2 * 76, 160, 3)
