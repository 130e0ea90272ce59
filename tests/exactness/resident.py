"""Programs that stay and answer one line a request: real parsers, and tenon itself."""
import base64
import json
import subprocess
import threading

DECLARED_WITHIN = 1000  # bytes: two lines, in what is tried
MOST_DEATHS = 3  # of a parser, and one more for each LINES_A_DEATH texts that it was asked in one call
LINES_A_DEATH = 100


class Resident:
    """A process that answers every line on its standard input by one line. Requests are written by a thread of their own, so that
    neither side waits for a full pipe."""

    def __init__(self, command):
        self._command = command
        self._start()

    def _start(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, lines, of_death=None):
        """One answer a line. `of_death`: the answer for a line that ends the process, which is then started anew; None: that is an error."""
        answers, deaths = [], 0
        while len(answers) < len(lines):
            answers += self._answers(lines[len(answers):])
            if len(answers) == len(lines):
                break
            deaths += 1
            if of_death is None or deaths > MOST_DEATHS + len(lines) // LINES_A_DEATH:
                raise RuntimeError(f"{' '.join(map(str, self._command))} ended after {len(answers)} answers; "
                                   f"it was asked {lines[len(answers)][:200]!r}")
            answers.append(of_death)
            self.close()
            self._start()
        return answers

    def _answers(self, lines):
        """The answers to `lines`, or to those before the first that ends the process."""
        def write():
            try:
                for line in lines:
                    self._process.stdin.write(line + b"\n")
                self._process.stdin.flush()
            except BrokenPipeError:
                pass  # the reader finds fewer answers

        writer = threading.Thread(target=write)
        writer.start()
        answers = []
        for _ in lines:
            answer = self._process.stdout.readline()
            if not answer:
                break
            answers.append(answer.rstrip(b"\n"))
        writer.join()
        return answers

    def close(self):
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended, with requests in the pipe
        self._process.wait()
        self._process.stdout.close()


class Oracle:
    """Real parsers in one process. Each answer is a letter a parser: 1 valid, 0 invalid, ? it cannot tell. Nor can it where a text ends the
    process: node 20 aborts (`end >= start` in GetErrorSource) on `class a{...}`."""

    def __init__(self, parsers, command):
        self.parsers = parsers
        self._resident = Resident(command)
        self._of_death = b"?" * len(parsers)

    def verdicts(self, texts):
        """For each text {parser: True, False or None}."""
        answers = self._resident.ask([base64.b64encode(text) for text in texts], self._of_death)
        meaning = {"1": True, "0": False, "?": None}
        return [{name: meaning[letter] for name, letter in zip(self.parsers, answer.decode().split()[0])} for answer in answers]

    def first_errors(self, texts):
        """For each text the byte at which the first parser sees an error; the text's size where it sees none, None where it does not say."""
        answers = self._resident.ask([base64.b64encode(text) for text in texts], self._of_death)
        places = []
        for text, answer in zip(texts, answers):
            words = answer.decode().split()
            places.append(int(words[1]) if len(words) > 1 else len(text) if words[0][0] == "1" else None)
        return places

    def close(self):
        self._resident.close()


class Tenon:
    """`tenon check --batch` and `tenon gap --batch`, each started when first asked. What is checked is written to a file where it is not UTF-8
    or may say that it is not: only the bytes of files are decoded."""

    def __init__(self, program, language, scratch, grammars=None, tokenizer=None):
        self._program = [program] + (["--grammars", grammars] if grammars else [])
        self._more = {"gap": ["--tokenizer", tokenizer] if tokenizer else ["--model", "smollm2-135m-fim"]}
        self._language = language
        self._scratch = scratch
        self._residents = {}

    def _ask(self, command, requests):
        if command not in self._residents:
            self._residents[command] = Resident([*self._program, command, "--batch", *self._more.get(command, [])])
        lines = [json.dumps({**request, "language": self._language}).encode() for request in requests]
        answers = [json.loads(answer) for answer in self._residents[command].ask(lines)]
        for request, answer in zip(requests, answers):
            if "error" in answer:
                raise RuntimeError(f"tenon {command} on {str(request)[:300]}: {answer['error']}")
        return answers

    def _source(self, text, i, decoded=True):
        try:
            if decoded or b"coding" not in text[:DECLARED_WITHIN]:
                return {"text": text.decode()}
        except UnicodeDecodeError:
            pass
        path = self._scratch / f"text{i}"
        path.write_bytes(text)
        return {"path": str(path)}

    def check(self, texts, emit=False):
        """The answers of `tenon check` to `texts` (bytes)."""
        return self._ask("check", [{**self._source(text, i, decoded=False), "emit": emit} for i, text in enumerate(texts)])

    def gaps(self, cuts, **more):
        """The answers of `tenon gap` to (text, begin, end, inserted); `more` goes into each request."""
        return self._ask("gap", [{**self._source(text, i), "at": [begin, end], "insert": inserted.decode(), **more}
                                 for i, (text, begin, end, inserted) in enumerate(cuts)])

    def close(self):
        for resident in self._residents.values():
            resident.close()
