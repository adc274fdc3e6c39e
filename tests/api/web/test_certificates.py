"""Certificates that phones accept, and keep accepting."""

from __future__ import annotations

import datetime as dt
import ipaddress
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from api.web.certificates import certificate_for

NAMES = ["192.168.1.20", "fd00::5", "table.local", "localhost"]


def leaf_of(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_leaf_has_what_browsers_ask_for(tmp_path: Path) -> None:
    """All addresses as alternative names, for servers, 397 days, signed by the authority."""
    made = certificate_for(NAMES, tmp_path)
    leaf, authority = leaf_of(made.certificate), leaf_of(made.authority)
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["table.local", "localhost"]
    assert names.get_values_for_type(x509.IPAddress) == [
        ipaddress.ip_address("192.168.1.20"),
        ipaddress.ip_address("fd00::5"),
    ]
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert (leaf.not_valid_after_utc - leaf.not_valid_before_utc).days == 397
    leaf.verify_directly_issued_by(authority)
    constraints = authority.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert constraints.ca


def test_keys_are_the_owners_only(tmp_path: Path) -> None:
    """Who reads the authority's key can pretend to be any site on the phones that trust it."""
    certificate_for(NAMES, tmp_path)
    for key in tmp_path.glob("*.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_kept_while_good(tmp_path: Path) -> None:
    """A phone that trusts the table does so tomorrow too."""
    first = certificate_for(NAMES, tmp_path)
    before = first.certificate.read_bytes()
    again = certificate_for(NAMES[:2], tmp_path)
    assert not again.is_new
    assert again.certificate.read_bytes() == before


@pytest.mark.parametrize("later_days", [0, 370])
def test_issued_anew_by_the_same_authority(tmp_path: Path, later_days: int) -> None:
    """A new address, or less than 30 days left: another certificate, the same authority."""
    authority = certificate_for(NAMES, tmp_path).authority.read_bytes()
    names = NAMES if later_days else [*NAMES, "10.0.0.7"]
    now = dt.datetime.now(dt.UTC) + dt.timedelta(days=later_days)
    again = certificate_for(names, tmp_path, now)
    assert again.is_new
    assert again.authority.read_bytes() == authority


@pytest.mark.parametrize("name", ["table_ca.key", "table_ca.crt", "table.key", "table.crt"])
def test_damaged_files_are_replaced(tmp_path: Path, name: str) -> None:
    """A table starts even when a file was spoilt."""
    certificate_for(NAMES, tmp_path)
    (tmp_path / name).write_text("spoilt")
    made = certificate_for(NAMES, tmp_path)
    assert made.is_new
    leaf_of(made.certificate).verify_directly_issued_by(leaf_of(made.authority))
