"""Small edits of valid texts, a token or a character at a time: most are nearly valid, which is where grammars are wrong."""
import functools
import re

KINDS = ("delete", "double", "swap", "insert", "join", "truncate", "character")

_STRINGS = r'''"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*\''''
_REST = r"|[A-Za-z_]\w*|\d[\w.]*|[ \t]+|\r?\n|."
TOKENS = {
    "python": re.compile(r'''[rRbBuUfF]{0,2}(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|''' + _STRINGS + r")"
                         r"|\*\*=?|//=?|>>=?|<<=?|:=|->|[-+*/%@&|^=!<>]=|\.\.\.|#[^\n]*" + _REST, re.S),
    "go": re.compile(r"`[^`]*`|" + _STRINGS + r"|//[^\n]*|/\*.*?\*/|<<=|>>=|&\^=?|&&|\|\||<-|\+\+|--|:=|\.\.\.|<<|>>|[-+*/%&|^=!<>]=" + _REST, re.S),
    "javascript": re.compile(r"`[^`]*`|" + _STRINGS + r"|//[^\n]*|/\*.*?\*/|>>>=?|\*\*=?|[=!]==|=>|\?\?=?|\?\.|\.\.\.|&&=?|\|\|=?|<<=?|>>=?|\+\+|--"
                              r"|[-+*/%&|^=!<>]=|#?[A-Za-z_$][\w$]*" + _REST, re.S),
    "json": re.compile(_STRINGS + r"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?" + _REST, re.S),
    "jsonc": re.compile(_STRINGS + r"|//[^\n]*|/\*.*?\*/|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?" + _REST, re.S),
    "sql": re.compile(r"\[[^\]]*\]|`[^`]*`|--[^\n]*|/\*.*?\*/|\|\||<<|>>|<>|->>?|[=!<>]=|" + _STRINGS + _REST, re.S),
    "java": re.compile(r'''"""(?:[^\\]|\\.)*?"""|''' + _STRINGS + r"|//[^\n]*|/\*.*?\*/|>>>=|<<=|>>=|>>>|<<|&&|\|\||->|::|\+\+|--|\.\.\.|[-+*/%&|^=!<>]=" + _REST, re.S),
}
INSERTED = {
    "python": ("( ) [ ] { } , : := = == * ** / // @ . ... -> ; ~ - + not in is if else elif for while async await lambda yield from import as del "
               "return raise global pass break try except finally with class def match case type _ None True and or 0 1j 1.5 0x1f b'a' 'a' "
               "f'{a}' += x y ! except* ' \" \"\"\" rb'x' 0o 1_ 0777 1e").split() + ["\n", "\n  ", "\t", "\n\t", "\\\n", " "],
    "go": ("( ) [ ] { } , : := = == * & <- . ... ; - + ! ^ && || << if else for range switch case default select go defer return break continue goto "
           "fallthrough func var const type struct interface map chan package import x y T nil 0 1i 1.5 0x1f 08 'a' \"a\" `a` += ++ -- ~ | _ ' \" ` "
           "// /* */").split() + ["\n", " ", "// a\n", "/* a\n */"],
    "javascript": ("( ) [ ] { } , : ; = => == === * ** / % . ?. ?? ... + - ++ -- ! ~ & && || << >>> < > ? += ??= if else for of in while do break continue "
                   "return throw try catch finally switch case default var let const function class extends static get set async await yield new delete "
                   "typeof void instanceof this super import export from as null true with debugger a b x 0 1.5 0x1f 1n 010 'a' \"a\" `a` `a${b}c` ${ ` /a/g "
                   "/[/]/ #a _ $ ' \" // /* */ <!-- --> \\").split() + ["\n", " ", "\n\n", "// a\n", "/* a\n */"],
    "json": "{ } [ ] , : \" null true false 0 -1 1.5 01 1. .5 \"a\" \\ / ' // /* nul é 1e5 1e".split() + [" ", "\n", "\t", "\v", "\x00"],
    "jsonc": "{ } [ ] , : \" null true false 0 -1 1.5 01 1. .5 \"a\" \\ / ' // /* */ /**/ nul é 1e5 1e ,,".split() + [" ", "\n", "\t", "\v", "// a\n"],
    "sql": ("( ) , . ; = == <> < << || -> ->> + - ~ * / % & | not null is in like glob match between and or escape exists case when then else end cast as "
            "select from where group by having order limit offset union all values with recursive insert into update set delete create table view index "
            "trigger drop alter add column rename to begin commit rollback primary key unique check references default collate foreign on conflict replace "
            "ignore abort join left outer cross natural using window over partition rows range unbounded preceding following current row filter distinct "
            "asc desc nulls first last if temp virtual explain query plan a b key desc 1 1.5 0x1f 'a' \"a\" `a` [a] x'ab' x'a' ?1 :a @a $a ? -- /* */ 1a "
            "generated always stored indexed raise returning materialized without rowid strict current_time isnull notnull").split() + [" ", "\n"],
    "java": ("( ) [ ] { } , ; . .. ... : :: -> @ = == != < > <= >= << >> >>> >>= + - * / % & && | || ^ ! ~ ? ++ -- += >>>= a b X T int void var record sealed "
             "non-sealed permits yield when _ this super new null true class interface enum extends implements static final abstract public private default "
             "case switch if else for while do return break continue throw try catch finally synchronized assert instanceof throws import package "
             "module String 0 1L 08 0x1f 1.5f 1e 1_ 0b1 2147483648 'a' \"a\" \"\"\"\n\"\"\" ' \" // /* */ @A A<B> int[] \\u0041").split(" ") + [" ", "\n", "\x1a"],
}
TOKENS["typescript"] = TOKENS["javascript"]
INSERTED["typescript"] = INSERTED["javascript"] + ("type interface enum namespace module declare abstract readonly keyof unique infer is asserts satisfies override accessor "
                                                   "public private protected implements any string number never <T> as a? !. @a : T ?: <A<B>> require global out").split()
ELEMENTS = "<a> </a> <a/> <> </> a=\"b\" a={b} {...a} {} {/**/} <a.b <a-b /> </ a-b=".split(" ") + ["a b", "<T,>", "<T extends U>"]
for _language, _base in (("typescriptreact", "typescript"), ("javascriptreact", "javascript")):
    TOKENS[_language] = TOKENS[_base]
    INSERTED[_language] = INSERTED[_base] + ELEMENTS
CHARACTERS = "  \t\n\r\f\\\"'`#(){}[]:;,.=*_01axeofrubN\u00e9$?!@%&|<>-+/"


@functools.lru_cache(maxsize=10000)  # the texts that are edited come again and again
def _tokens(language, text):
    return tuple(TOKENS[language].findall(text))


def mutate(language, text, kind, pool, rng):
    """`text` after one edit of `kind`; may be the text itself where nothing of that kind can be done."""
    tokens = list(_tokens(language, text))
    if not tokens:
        return text
    solid = [i for i, token in enumerate(tokens) if not token.isspace()] or [0]
    at = rng.choice(solid) if rng.random() < 0.9 else rng.randrange(len(tokens))
    if kind == "delete":
        del tokens[at]
    elif kind == "double":
        tokens.insert(at, tokens[at])
        if rng.random() < 0.5:
            tokens.insert(at + 1, " ")
    elif kind == "swap":
        other = rng.choice(solid)
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == "insert":
        token = rng.choice(INSERTED[language] if rng.random() < 0.7 else pool)
        blank = " " if rng.random() < 0.7 else ""
        if rng.random() < 0.3:
            tokens[at] = token
        else:
            tokens.insert(at + rng.randrange(2), blank + token + blank)
    elif kind == "join":
        blanks = [i for i, token in enumerate(tokens) if token.isspace()]
        if blanks:
            del tokens[rng.choice(blanks)]
    elif kind == "truncate":
        whole = "".join(tokens)
        return "".join(tokens[:at + 1]) if rng.random() < 0.7 else whole[:rng.randrange(len(whole) + 1)]
    else:
        whole = "".join(tokens)
        at = rng.randrange(len(whole) + 1)
        drop = rng.random() < 0.5
        return whole[:at] + ("" if drop else rng.choice(CHARACTERS)) + whole[at + drop:]
    return "".join(tokens)


def shrink(language, text, still_wrong):
    """A text from which no single token and no line can be taken without `still_wrong` turning false."""
    for split in (lambda t: re.findall(r"[^\n]*\n|[^\n]+", t), TOKENS[language].findall):
        pieces = split(text)
        i = 0
        while i < len(pieces) and len(pieces) > 1:
            shorter = pieces[:i] + pieces[i + 1:]
            if still_wrong("".join(shorter)):
                pieces = shorter
            else:
                i += 1
        text = "".join(pieces)
    return text
