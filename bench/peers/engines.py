"""The peers behind one interface: compile a grammar for a vocabulary, then mask and accept token by token.

Each engine writes its mask into a bitmap of 32-bit words, as it would for a model. A peer whose package is missing says so.
"""

import importlib.metadata
import re
import time

import ebnf
import lark_text
import numpy

# More than the defaults, which stop on SynCode's ambiguous Go grammar.
LLGUIDANCE_ITEMS = 50_000_000


class Refused(Exception):
    """The engine does not take the grammar."""


class Glrmask:
    def __init__(self, vocabulary):
        import glrmask

        self.module = glrmask
        self.version = glrmask.__version__
        self.vocabulary = glrmask.Vocab.from_id_to_bytes({i: t for i, t in enumerate(vocabulary.tokens) if t})

    def compile(self, lark: str) -> None:
        try:
            constraint = self.module.Grammar.from_lark(lark).compile(self.vocabulary)
        except Exception as error:  # whatever its reader raises
            raise Refused(str(error)) from error
        self.state = constraint.start()
        self.words = numpy.zeros(constraint.mask_len(), dtype=numpy.int32)

    def mask(self) -> None:
        self.state.fill_mask(self.words)

    def accept(self, token: int) -> bool:
        return self.state.commit_token(token)


class Llguidance:
    def __init__(self, vocabulary):
        import llguidance

        self.module = llguidance
        self.version = llguidance.get_version()
        self.size = len(vocabulary.tokens)

        class Wrapped:
            eos_token_id = vocabulary.end
            bos_token_id = None
            special_token_ids = vocabulary.special
            tokens = vocabulary.tokens

            def __call__(self, text):
                return vocabulary.encode(text.decode() if isinstance(text, bytes) else text)

        wrapper = llguidance.TokenizerWrapper(Wrapped())
        self.tokenizer = llguidance.LLTokenizer(wrapper, n_vocab=self.size, eos_token=vocabulary.end)

    def compile(self, lark: str) -> None:
        limits = self.module.LLParserLimits(
            max_items_in_row=1_000_000,
            initial_lexer_fuel=LLGUIDANCE_ITEMS,
            step_lexer_fuel=LLGUIDANCE_ITEMS,
            step_max_items=LLGUIDANCE_ITEMS,
        )
        self.matcher = self.module.LLMatcher(self.tokenizer, lark, log_level=0, limits=limits)
        if self.matcher.is_error():
            raise Refused(self.matcher.get_error())
        self.words = numpy.zeros((self.size + 31) // 32, dtype=numpy.int32)

    def mask(self) -> None:
        self.matcher.unsafe_compute_mask_ptr(self.words.ctypes.data, self.words.nbytes)

    def accept(self, token: int) -> bool:
        return self.matcher.consume_token(token)


class Xgrammar:
    def __init__(self, vocabulary):
        import xgrammar

        self.module = xgrammar
        self.version = importlib.metadata.version("xgrammar")
        self.info = xgrammar.TokenizerInfo(
            vocabulary.tokens, vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[vocabulary.end]
        )

    def compile(self, lark: str) -> None:
        directives = sorted(set(re.findall(r"^%(?!ignore)\w+", lark, re.MULTILINE)))
        if directives:
            raise Refused(f"its EBNF has nothing for {' '.join(directives)}")
        text = ebnf.from_lark(lark_text.definitions(lark))
        try:
            compiled = self.module.GrammarCompiler(self.info, max_threads=1, cache_enabled=False).compile_grammar(
                self.module.Grammar.from_ebnf(text)
            )
        except RuntimeError as error:
            raise Refused(str(error)) from error
        self.matcher = self.module.GrammarMatcher(compiled)
        self.bitmask = self.module.allocate_token_bitmask(1, self.info.vocab_size)
        self.words = self.bitmask.numpy()[0]

    def mask(self) -> None:
        # Where all is allowed nothing is written and the answer is False.
        if not self.matcher.fill_next_token_bitmask(self.bitmask):
            self.words.fill(-1)

    def accept(self, token: int) -> bool:
        return self.matcher.accept_token(token)


ENGINES = {"glrmask": Glrmask, "llguidance": Llguidance, "xgrammar": Xgrammar}


def replay(engine, lark: str, vocabulary, tokens: list, limit_s: float) -> dict:
    """One pass; `stopped` says why it ended before the last token."""
    started = time.perf_counter()
    engine.compile(lark)
    compiled = time.perf_counter() - started
    masks, accepts, stopped = [], [], None
    for place, token in enumerate(tokens):
        begun = time.perf_counter()
        engine.mask()
        masked = time.perf_counter()
        allowed = bool(engine.words[token // 32] >> (token % 32) & 1)
        before = time.perf_counter()
        accepted = allowed and engine.accept(token)
        accepts.append(time.perf_counter() - before)
        masks.append(masked - begun)
        if not accepted:
            stopped = f"does not allow token {place}, {vocabulary.tokens[token]!r}"
            break
        if time.perf_counter() - started > limit_s:
            stopped = f"{limit_s:.0f} s were over"
            break
    return {"compile_s": compiled, "mask_s": masks, "accept_s": accepts, "stopped": stopped}
