"""Reads an OpenStreetMap extract through osmium's OPL, a text format with one object a line."""

import re
import subprocess


def read(path):
    """Returns {node id: (latitude, longitude)} and [(node ids, tags)] of all ways, in file order."""
    command = ["osmium", "cat", "--no-progress", "-f", "opl", str(path)]
    opl = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    places, ways = {}, []
    for line in opl.splitlines():
        fields = {field[0]: field[1:] for field in line.split(" ")}
        if "n" in fields and fields.get("x"):
            places[int(fields["n"])] = (float(fields["y"]), float(fields["x"]))
        elif "w" in fields:
            tags = dict(map(unescape, pair.split("=", 1)) for pair in fields["T"].split(",") if pair)
            ways.append(([int(node[1:]) for node in fields["N"].split(",") if node], tags))
    return places, ways


def unescape(text):
    """OPL writes what would clash with its own signs as %hex%."""
    return re.sub("%([0-9a-f]+)%", lambda match: chr(int(match[1], 16)), text)
