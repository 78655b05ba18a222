"""Consistent Overhead Byte Stuffing (PROTOCOL.md 1): any bytes, written without a zero byte."""


def encode(data):
    """Return `data` without zero bytes, its delimiter left out."""
    out = bytearray(1)
    code_at = 0
    code = 1
    last = len(data) - 1
    for at, byte in enumerate(data):
        if byte:
            out.append(byte)
            code += 1
        if not byte or (code == 255 and at != last):
            out[code_at] = code
            code_at = len(out)
            out.append(0)
            code = 1
    out[code_at] = code
    return out


def decode(data):
    """Return what was encoded, None if `data` (bytes) is empty, cut or contains a zero."""
    size = len(data)
    if not size:
        return None
    out = bytearray()
    at = 0
    while at < size:
        code = data[at]
        end = at + code
        if not code or end > size:
            return None
        out.extend(data[at + 1 : end])
        at = end
        if code < 255 and at < size:
            out.append(0)
    return out if data.find(b"\0") < 0 else None
