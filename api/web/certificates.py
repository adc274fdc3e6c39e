"""An authority of this table's own, and its certificate: phones give cameras to https pages only.

The authority lives ten years, the certificate 397 days (Apple takes at most 825, browsers 398),
issued anew when addresses have changed or fewer than 30 days are left.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

__all__ = ["CA_FILE", "Certificate", "certificate_for"]

CA_FILE = "table_ca.crt"
_CA_KEY, _LEAF, _LEAF_KEY = "table_ca.key", "table.crt", "table.key"
_CA_DAYS, _LEAF_DAYS, _RENEW_DAYS = 3650, 397, 30
_PEM = serialization.Encoding.PEM
_Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files for a TLS server; ``is_new``: issued just now."""

    certificate: Path
    key: Path
    authority: Path
    is_new: bool


def certificate_for(
    names: Sequence[str], folder: Path, now: dt.datetime | None = None
) -> Certificate:
    """A certificate for all these hosts and addresses, kept in ``folder`` (keys: mode 0600).

    Raises ``OSError`` for a folder that cannot be written.
    """
    now = now or dt.datetime.now(dt.UTC)
    folder.mkdir(parents=True, exist_ok=True)
    authority_key, authority, fresh = _authority(folder, now)
    files = Certificate(folder / _LEAF, folder / _LEAF_KEY, folder / CA_FILE, is_new=False)
    if not fresh and _still_good(files, names, authority, now):
        return files
    key, leaf = _leaf(authority_key, authority, names, now)
    _write(files.key, _key_bytes(key), mode=0o600)
    _write(files.certificate, leaf.public_bytes(_PEM) + authority.public_bytes(_PEM), mode=0o644)
    return Certificate(files.certificate, files.key, files.authority, is_new=True)


def _authority(folder: Path, now: dt.datetime) -> tuple[_Key, x509.Certificate, bool]:
    try:
        key = serialization.load_pem_private_key((folder / _CA_KEY).read_bytes(), None)
        made = x509.load_pem_x509_certificate((folder / CA_FILE).read_bytes())
        fits = isinstance(key, _Key) and made.public_key() == key.public_key()
        if fits and made.not_valid_after_utc > now + dt.timedelta(days=_LEAF_DAYS):
            assert isinstance(key, _Key)
            return key, made, False
    except (OSError, ValueError):
        pass
    new = ec.generate_private_key(ec.SECP256R1())
    made = _new_authority(new, now)
    _write(folder / _CA_KEY, _key_bytes(new), mode=0o600)
    _write(folder / CA_FILE, made.public_bytes(_PEM), mode=0o644)
    return new, made, True


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:60] or "carrom")])


def _new_authority(key: _Key, now: dt.datetime) -> x509.Certificate:
    name = _name(f"Carrom table {socket.gethostname()}")
    usage = _usage(signs_certificates=True)
    return (
        _builder(name, name, key, now, _CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _leaf(
    authority_key: _Key, authority: x509.Certificate, names: Sequence[str], now: dt.datetime
) -> tuple[_Key, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    leaf = (
        _builder(_name(names[0]), authority.subject, key, now, _LEAF_DAYS)
        .add_extension(x509.SubjectAlternativeName(_alternatives(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(server, critical=False)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(identifier, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    return key, leaf


def _builder(
    subject: x509.Name, issuer: x509.Name, key: _Key, now: dt.datetime, days: int
) -> x509.CertificateBuilder:
    begins = now - dt.timedelta(hours=12)  # clocks of phones are not always right
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + dt.timedelta(days=days))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _alternatives(names: Sequence[str]) -> list[x509.GeneralName]:
    found: list[x509.GeneralName] = []
    for name in dict.fromkeys(names):
        try:
            found.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            if name.isascii():
                found.append(x509.DNSName(name))
    return found


def _still_good(
    files: Certificate, names: Sequence[str], authority: x509.Certificate, now: dt.datetime
) -> bool:
    try:
        leaf = x509.load_pem_x509_certificate(files.certificate.read_bytes())
        key = serialization.load_pem_private_key(files.key.read_bytes(), None)
        held = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    return (
        leaf.public_key() == key.public_key()
        and leaf.issuer == authority.subject
        and leaf.not_valid_after_utc > now + dt.timedelta(days=_RENEW_DAYS)
        and leaf.not_valid_before_utc <= now
        and set(_alternatives(names)) <= set(held)
    )


def _key_bytes(key: _Key) -> bytes:
    plain = serialization.NoEncryption()
    return key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, plain)


def _write(path: Path, data: bytes, *, mode: int) -> None:
    beside = path.with_suffix(path.suffix + ".new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as out:
        out.write(data)
    beside.replace(path)
