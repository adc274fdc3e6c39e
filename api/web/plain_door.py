"""What another device gets without TLS: the certificate of this table, and how to trust it."""

from __future__ import annotations

from html import escape

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from api.web.certificates import CA_FILE
from api.web.web_settings import WebSettings

__all__ = ["CA_PATH", "ca_answer", "plain_answer"]

CA_PATH = "/ca.crt"

_WORDS = {
    "en": (
        "Carrom umpire",
        "Open the table",
        "Your browser will warn that it does not know this table's certificate. You may go on, or "
        "install the certificate once; iPhones and iPads need it for the live picture.",
        "Get the certificate",
        "iPhone, iPad: open the file, then Settings, Profile downloaded, Install; then General, "
        "About, Certificate Trust Settings, switch it on.",
        "Android: Settings, Security, Encryption and credentials, Install a certificate, CA "
        "certificate.",
        "Windows: open the file, Install, Trusted Root Certification Authorities. "
        "macOS: open it in Keychain Access, Always Trust.",
        "Remove it the same way when you no longer need it.",
    ),
    "ja": (
        "カロム審判",
        "テーブルを開く",
        "ブラウザはこのテーブルの証明書を知らないと警告します。そのまま進むか、証明書を一度"
        "インストールしてください。iPhoneとiPadのライブ映像には証明書が必要です。",
        "証明書を入手",
        "iPhone・iPad：ファイルを開き、設定の「プロファイルがダウンロード済み」からインストール。"
        "その後「一般」「情報」「証明書信頼設定」でオンにします。",
        "Android：設定、セキュリティ、暗号化と認証情報、証明書のインストール、CA証明書。",
        "Windows：ファイルを開き、インストール、信頼されたルート証明機関。"
        "macOS：キーチェーンアクセスで開き「常に信頼」。",
        "不要になったら同じ場所で削除してください。",
    ),
    "sv": (
        "Carromdomare",
        "Öppna bordet",
        "Webbläsaren varnar för att den inte känner bordets certifikat. Du kan gå vidare, eller "
        "installera certifikatet en gång; iPhone och iPad behöver det för livebilden.",
        "Hämta certifikatet",
        "iPhone, iPad: öppna filen, sedan Inställningar, Profil hämtad, Installera; därefter "
        "Allmänt, Om, Inställningar för certifikat, slå på.",
        "Android: Inställningar, Säkerhet, Kryptering och uppgifter, Installera ett certifikat, "
        "CA-certifikat.",
        "Windows: öppna filen, Installera, Betrodda rotcertifikatutfärdare. "
        "macOS: öppna i Nyckelhanterare, Lita alltid.",
        "Ta bort det på samma ställe när du inte behöver det längre.",
    ),
    "hi": (
        "कैरम अंपायर",
        "मेज़ खोलें",
        "ब्राउज़र चेतावनी देगा कि वह इस मेज़ का प्रमाणपत्र नहीं जानता। आप आगे बढ़ सकते हैं, या प्रमाणपत्र "
        "एक बार स्थापित करें; iPhone और iPad को लाइव चित्र के लिए यह चाहिए।",
        "प्रमाणपत्र लें",
        "iPhone, iPad: फ़ाइल खोलें, सेटिंग्स, डाउनलोड की गई प्रोफ़ाइल, इंस्टॉल; फिर सामान्य, परिचय, "
        "प्रमाणपत्र विश्वास सेटिंग्स, चालू करें।",
        "Android: सेटिंग्स, सुरक्षा, एन्क्रिप्शन, प्रमाणपत्र इंस्टॉल करें, CA प्रमाणपत्र।",
        "Windows: फ़ाइल खोलें, इंस्टॉल, विश्वसनीय रूट प्रमाणन प्राधिकरण। macOS: कीचेन एक्सेस में खोलें, "
        "हमेशा विश्वास करें।",
        "जब ज़रूरत न रहे तो उसी जगह से हटा दें।",
    ),
}
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title></head>
<body><main><h1>{title}</h1><p><a href="{address}">{open}</a></p><p>{why}</p>
<p><a href="{ca}">{get}</a></p><ul><li>{ios}</li><li>{android}</li><li>{desktop}</li></ul>
<p>{remove}</p></main></body></html>
"""


def plain_answer(connection: HTTPConnection, settings: WebSettings) -> Response:
    """The certificate, the page about it, or the way to the encrypted address."""
    path, method = connection.url.path, connection.scope["method"]
    if method not in ("GET", "HEAD"):
        body = {"error": "needs_tls", "message": "use the https address of this table"}
        return JSONResponse(body, 403)
    if path == CA_PATH:
        return ca_answer(settings)
    address = f"https://{_netloc(connection)}:{settings.https_port}"
    if path in ("/", "/ca"):
        return HTMLResponse(_page(connection.headers.get("accept-language", ""), address))
    return RedirectResponse(address + path, 307)


def ca_answer(settings: WebSettings) -> Response:
    """The public certificate of this table's own authority."""
    if settings.data_folder is not None:
        try:
            text = (settings.data_folder / CA_FILE).read_bytes()
        except OSError:
            text = b""
        if text:
            named = {"Content-Disposition": 'attachment; filename="carrom-table.crt"'}
            return Response(text, media_type="application/x-x509-ca-cert", headers=named)
    return JSONResponse({"error": "not_found", "message": "there is no certificate"}, 404)


def _netloc(connection: HTTPConnection) -> str:
    host = connection.headers.get("host", "")
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _page(languages: str, address: str) -> str:
    asked = [part.strip()[:2].lower() for part in languages.split(",")[:8]]
    language = next((one for one in asked if one in _WORDS), "en")
    title, enter, why, get, ios, android, desktop, remove = _WORDS[language]
    return _PAGE.format(
        language=language, title=title, open=enter, why=why, get=get, ios=ios, android=android,
        desktop=desktop, remove=remove, ca=CA_PATH, address=escape(address + "/"),
    )  # fmt: skip
