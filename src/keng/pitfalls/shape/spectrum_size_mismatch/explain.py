"""Error messages: a short-time Fourier transform gets a signal, a window or a spectrum that does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("with-channels")
def with_channels(failure: Failure) -> Hits:
    yield failure.hit(say("stft-takes-time-or"))


@explains("shorter-than-a-frame")
def shorter_than_a_frame(failure: Failure) -> Hits:
    length, n = failure.groups["length"], failure.groups["n"]
    cure = "x.T, as these are channels, perhaps" if int(length) < 9 else "pad it"
    says = f"the signal has {length} samples, shorter than a frame of n_fft={n}"
    yield failure.hit(f"{says}: {cure}")


@explains("window-of-another-length")
def window_of_another_length(failure: Failure) -> Hits:
    says = "the window has {came} values, and win_length is {wants}"
    yield failure.hit(says.format(**failure.groups))


@explains("of-another-transform")
def of_another_transform(failure: Failure) -> Hits:
    came = int(failure.groups["came"])
    fits = 2 * came - 2 if "onesided=True" in failure.message else came
    says = f"the spectrum has {came} frequencies, which is another n_fft than is given"
    yield failure.hit(f"{says}: n_fft={fits}, or its frames stand where the frequencies do")


@explains("window-without-cover")
def window_without_cover(failure: Failure) -> Hits:
    yield failure.hit(say("somewhere-all-windows-zero"))


@explains("no-points")
def no_points(failure: Failure) -> Hits:
    yield failure.hit(say("transform-points-dimension-empty", n=failure.groups["n"]))


@explains("unknown-norm")
def unknown_norm(failure: Failure) -> Hits:
    says = "norm= is one of forward, backward and ortho, and not {mode}"
    yield failure.hit(says.format(**failure.groups))


@explains("longer-than-its-frame")
def longer_than_its_frame(failure: Failure) -> Hits:
    says = "win_length is {came}, and goes from 1 to n_fft: a larger n_fft for longer windows"
    yield failure.hit(says.format(**failure.groups))
