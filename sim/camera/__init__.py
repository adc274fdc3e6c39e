"""What an overhead camera would see: scenes, pictures, and the truth beside each picture.

from sim.camera import render, sample_scene

picture = render(sample_scene(7))
picture.image_bgr           # (720, 1280, 3) uint8
picture.truth.discs[0].rim  # an ellipse in px
"""

from carrom.errors import SceneError
from sim.camera.camera import Camera
from sim.camera.looks import (
    BaseCircleStyle,
    BoardLook,
    CornerStyle,
    DiscLook,
    DiscPattern,
    FrameLook,
    FrameStyle,
    Grain,
    NetLook,
    NetStyle,
    PrintLook,
    Rosette,
)
from sim.camera.many import prepare_worker, render_many
from sim.camera.render import Picture, Stage, prepare, render
from sim.camera.sampling import sample_scene
from sim.camera.scene import (
    DiscState,
    Gobo,
    Lamp,
    LampShape,
    Light,
    Prop,
    PropKind,
    Scene,
    SceneDisc,
    SceneHand,
    Sensor,
    Table,
    TableKind,
    discs_of,
)
from sim.camera.sheet import contact_sheet
from sim.camera.truth import Cover, DiscTruth, Ellipse, Hidden, Truth

__all__ = [
    "BaseCircleStyle",
    "BoardLook",
    "Camera",
    "CornerStyle",
    "Cover",
    "DiscLook",
    "DiscPattern",
    "DiscState",
    "DiscTruth",
    "Ellipse",
    "FrameLook",
    "FrameStyle",
    "Gobo",
    "Grain",
    "Hidden",
    "Lamp",
    "LampShape",
    "Light",
    "NetLook",
    "NetStyle",
    "Picture",
    "PrintLook",
    "Prop",
    "PropKind",
    "Rosette",
    "Scene",
    "SceneDisc",
    "SceneError",
    "SceneHand",
    "Sensor",
    "Stage",
    "Table",
    "TableKind",
    "Truth",
    "contact_sheet",
    "discs_of",
    "prepare",
    "prepare_worker",
    "render",
    "render_many",
    "sample_scene",
]
