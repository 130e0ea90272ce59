"""Messages of the language server protocol on a stream of bytes: a header with their length, then JSON."""

import json


def read_message(stream):
    """The next message; None at the end of the stream."""
    length = None
    while line := stream.readline():
        line = line.strip()
        if not line:
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(stream.read(length)) if length is not None else None


def write_message(stream, message):
    # Half of a surrogate pair, which a client may send, is passed on.
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()
