"""Lamps, shadows and sensors at random."""

from math import cos, pi, sin, tau

from sim.camera.draw_of import Rng, chance, one_of, uniform, weighted
from sim.camera.looks import Rgb
from sim.camera.scene import Gobo, Lamp, LampShape, Light, Sensor

__all__ = ["kelvin", "sample_light", "sample_sensor"]

_GOBO_SHARE = {
    Gobo.NONE: 0.62,
    Gobo.STRIPES: 0.08,
    Gobo.LEAVES: 0.06,
    Gobo.STAND: 0.09,
    Gobo.PERSON: 0.15,
}


def kelvin(temperature: float) -> Rgb:
    """The sRGB colour of a lamp, its brightest channel 1; a rough fit from 1800 to 10000 K."""
    t = temperature / 6500.0
    if t <= 1:
        return 1.0, round(0.48 + 0.52 * t, 4), round(max(0.1, 1.08 * t - 0.08), 4)
    return round(max(0.7, 1.25 - 0.25 * t), 4), round(max(0.85, 1.1 - 0.1 * t), 4), 1.0


def sample_light(rng: Rng) -> Light:
    """A room: overhead lamps, a window, a single bulb in the dark, an overcast balcony."""
    mood = weighted(rng, {"room": 0.4, "bulb": 0.17, "window": 0.2, "soft": 0.15, "club": 0.08})
    lamps, ambient = _MOODS[mood](rng)
    warm = uniform(rng, 2600, 7500)
    return Light(
        lamps=lamps,
        ambient=ambient,
        ambient_colour=kelvin(warm),
        gobo=weighted(rng, _GOBO_SHARE),
        gobo_strength=uniform(rng, 0.25, 0.85),
        gobo_seed=int(rng.integers(1 << 30)),
    )


def _lamp(
    rng: Rng,
    share: float,
    reach_mm: tuple[float, float],
    height_mm: tuple[float, float],
    **more: object,
) -> Lamp:
    turn, reach = uniform(rng, 0, tau), uniform(rng, *reach_mm)
    place = (reach * cos(turn), reach * sin(turn), uniform(rng, *height_mm))
    size = more.pop("size_mm", uniform(rng, 15, 90))
    temperature = more.pop("temperature", weighted(rng, {2700.0: 0.3, 4000.0: 0.3, 6000.0: 0.4}))
    return Lamp(
        place,
        share,
        kelvin(float(temperature) * uniform(rng, 0.88, 1.15)),  # type: ignore[arg-type]
        float(size),  # type: ignore[arg-type]
        turn_rad=uniform(rng, 0, pi),
        **more,  # type: ignore[arg-type]
    )


def _room(rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    ambient = uniform(rng, 0.35, 0.65)
    shape = weighted(rng, {LampShape.ROUND: 0.5, LampShape.TUBE: 0.5})
    size = 600.0 if shape is LampShape.TUBE else uniform(rng, 30, 150)
    first = _lamp(rng, (1 - ambient) * 0.7, (200, 1800), (1400, 2300), shape=shape, size_mm=size)
    second = _lamp(rng, (1 - ambient) * 0.3, (300, 2500), (1300, 2300))
    return (first, second) if chance(rng, 0.6) else (first,), ambient


def _bulb(rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    ambient = uniform(rng, 0.1, 0.3)
    warm = uniform(rng, 2300, 3600)
    lamp = _lamp(
        rng, 1 - ambient, (0, 700), (650, 1400), size_mm=uniform(rng, 15, 60), temperature=warm
    )
    return (lamp,), ambient


def _window(rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    ambient = uniform(rng, 0.3, 0.6)
    size = uniform(rng, 300, 700)
    lamp = _lamp(
        rng,
        1 - ambient,
        (1200, 2600),
        (900, 1800),
        shape=LampShape.WINDOW,
        size_mm=size,
        temperature=uniform(rng, 5500, 8500),
    )
    extra = _lamp(rng, 0.15, (0, 1500), (1500, 2300))
    return (lamp, extra) if chance(rng, 0.3) else (lamp,), ambient


def _soft(rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    ambient = uniform(rng, 0.7, 0.9)
    return (
        _lamp(rng, 1 - ambient, (0, 1500), (1500, 2500), size_mm=uniform(rng, 200, 500)),
    ), ambient


def _club(rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    ambient = uniform(rng, 0.1, 0.35)
    share = (1 - ambient) / 3
    lamps = tuple(_lamp(rng, share, (100, 900), (700, 1500)) for _ in range(3))
    return lamps, ambient


_MOODS = {"room": _room, "bulb": _bulb, "window": _window, "soft": _soft, "club": _club}


def sample_sensor(rng: Rng, light: Light, width_px: int) -> Sensor:
    """A camera that does its best with the light: white balance and exposure miss a little."""
    grade = weighted(rng, {"good": 0.45, "webcam": 0.4, "poor": 0.15})
    k = {"good": 0.35, "webcam": 1.0, "poor": 2.2}[grade]
    red, blue = _balance(rng, light)
    noisy = uniform(rng, 0.5, 3.5) * k
    share = width_px / 1280
    return Sensor(
        exposure=float(2.0 ** rng.normal(0.25, 0.42)),
        white_balance=(red, blue),
        saturation=uniform(rng, 0.75, 1.25),
        contrast=uniform(rng, -0.3, 0.9),
        haze=uniform(rng, 0.0, 0.03) if chance(rng, 0.5) else uniform(rng, 0.0, 0.008),
        vignetting=uniform(rng, 0.0, 0.16),
        defocus_px=(uniform(rng, 0.35, 0.8) + (abs(rng.normal(0, 0.7)) if chance(rng, 0.3) else 0))
        * max(1.0, share),
        noise=noisy,
        chroma_noise=noisy * uniform(rng, 0.2, 0.8),
        sharpen=uniform(rng, 0.0, 0.9) if chance(rng, 0.6) else 0.0,
        jpeg_quality=int(uniform(rng, 35, 75) if grade == "poor" else uniform(rng, 65, 96)),
        shutter_s=1 / weighted(rng, {30: 0.2, 60: 0.35, 125: 0.25, 250: 0.2}),
        readout_s=uniform(rng, 0.008, 0.03),
        flicker_depth=uniform(rng, 0.02, 0.15) if chance(rng, 0.12) else 0.0,
        flicker_hz=one_of(rng, (100.0, 120.0)),
        flicker_phase_rad=uniform(rng, 0, tau),
        seed=int(rng.integers(1 << 30)),
    )


def _balance(rng: Rng, light: Light) -> tuple[float, float]:
    """Gains of red and blue that undo part of the colour of the light."""
    from sim.camera.arrays import linear

    total = linear(light.ambient_colour) * light.ambient
    for lamp in light.lamps:
        total = total + linear(lamp.colour) * lamp.share
    blue, green, red = (float(v) for v in total)
    done = uniform(rng, 0.6, 1.1)
    cast = rng.normal(0, 0.05, 2)
    gain_r = (green / red) ** done * float(2 ** cast[0])
    gain_b = min(3.0, (green / max(blue, 0.05)) ** done) * float(2 ** cast[1])
    return round(gain_r, 4), round(gain_b, 4)
