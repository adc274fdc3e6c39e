"""The words of a printed score sheet; why a board ended comes from `referee.phrases`."""

from collections.abc import Mapping

from referee.phrases import Language

__all__ = ["SHEET_WORDS"]

SHEET_WORDS: Mapping[Language, Mapping[str, str]] = {
    Language.ENGLISH: {
        "title": "Score sheet", "rules": "Rules", "date": "Date", "game": "Game", "board": "Board",
        "opener": "Opened by", "colour": "Colour", "points": "Points", "total": "Total",
        "queen": "Queen", "strokes": "Strokes", "how": "How it ended", "games": "Games won",
        "winner": "Winner", "running": "Not finished yet", "shared": "Shared",
        "empty": "No board has been finished yet.", "umpire": "Umpire", "signed": "Signatures",
        "print": "Print",
    },
    Language.JAPANESE: {
        "title": "スコアシート", "rules": "ルール", "date": "日付", "game": "ゲーム",
        "board": "ボード", "opener": "先攻", "colour": "色", "points": "得点", "total": "合計",
        "queen": "クイーン", "strokes": "打数", "how": "終わり方", "games": "勝ちゲーム数",
        "winner": "勝者", "running": "試合中", "shared": "引き分け",
        "empty": "終わったボードはまだありません。", "umpire": "審判", "signed": "署名",
        "print": "印刷",
    },
    Language.SWEDISH: {
        "title": "Protokoll", "rules": "Regler", "date": "Datum", "game": "Set", "board": "Bräda",
        "opener": "Öppnade", "colour": "Färg", "points": "Poäng", "total": "Summa",
        "queen": "Drottning", "strokes": "Stötar", "how": "Hur den slutade",
        "games": "Vunna set", "winner": "Segrare", "running": "Inte avgjord än",
        "shared": "Oavgjord", "empty": "Ingen bräda är färdigspelad än.", "umpire": "Domare",
        "signed": "Underskrifter", "print": "Skriv ut",
    },
    Language.HINDI: {
        "title": "स्कोर शीट", "rules": "नियम", "date": "तारीख", "game": "गेम", "board": "बोर्ड",
        "opener": "शुरुआत", "colour": "रंग", "points": "अंक", "total": "कुल", "queen": "रानी",
        "strokes": "स्ट्रोक", "how": "कैसे समाप्त हुआ", "games": "जीते गेम", "winner": "विजेता",
        "running": "अभी जारी है", "shared": "बराबरी", "empty": "अभी कोई बोर्ड पूरा नहीं हुआ।",
        "umpire": "अंपायर", "signed": "हस्ताक्षर", "print": "प्रिंट",
    },
}  # fmt: skip
