"""Closes the coast of a rectangular OpenStreetMap extract into polygons of sea.

OpenStreetMap has no sea, only coastlines with the land on their left. Inside a box each piece of coast
enters at its edge and leaves at its edge; the sea lies to the right, so going on clockwise along the edge
to where the next piece enters goes round it.
"""

import collections

import opl

Box = collections.namedtuple("Box", "west south east north")


def polygons(path):
    """The extract's sea as a list of rings of (longitude, latitude), first point repeated at the end."""
    places, ways = opl.read(path)
    latitudes, longitudes = zip(*places.values())
    box = Box(min(longitudes), min(latitudes), max(longitudes), max(latitudes))
    coast = [nodes for nodes, tags in ways if tags.get("natural") == "coastline"]
    pieces = [piece for nodes in coast for piece in inside(nodes, places)]
    return close(pieces, box)


def inside(nodes, places):
    """The parts of a way whose nodes the extract holds, as lines of (longitude, latitude)."""
    piece = []
    for node in [*nodes, None]:
        if node in places:
            piece.append(places[node][::-1])
        else:
            if len(piece) > 1:
                yield piece
            piece = []


def edge_distance(point, box):
    """How far along the box's edge, clockwise from its north-west corner, the nearest edge point lies."""
    x, y = point
    width, height = box.east - box.west, box.north - box.south
    # A degree of longitude is about half one of latitude here; near enough to pick a side.
    sides = [
        (box.north - y, x - box.west),
        ((box.east - x) / 2, width + box.north - y),
        (y - box.south, width + height + box.east - x),
        ((x - box.west) / 2, 2 * width + height + y - box.south),
    ]
    return min(sides)[1]


def edge_point(distance, box):
    width, height = box.east - box.west, box.north - box.south
    if distance <= width:
        return (box.west + distance, box.north)
    if distance <= width + height:
        return (box.east, box.north - (distance - width))
    if distance <= 2 * width + height:
        return (box.east - (distance - width - height), box.south)
    return (box.west, box.south + (distance - 2 * width - height))


def walk_edge(start, end, box):
    """The points from one distance along the edge clockwise to another, corners included."""
    width, height = box.east - box.west, box.north - box.south
    around = 2 * (width + height)
    end += around if end < start else 0
    corners = [base + lap for lap in (0, around) for base in (0, width, width + height, 2 * width + height)]
    stops = [start, *(corner for corner in corners if start < corner < end), end]
    return [edge_point(stop % around, box) for stop in stops]


def close(pieces, box):
    around = 2 * (box.east - box.west + box.north - box.south)
    starts = [edge_distance(piece[0], box) for piece in pieces]
    left, rings = set(range(len(pieces))), []
    while left:
        first = current = min(left)
        ring = []
        while True:
            left.discard(current)
            ring += pieces[current]
            end = edge_distance(pieces[current][-1], box)
            following = min(left | {first}, key=lambda piece: (starts[piece] - end) % around)
            ring += walk_edge(end, starts[following], box)
            if following == first:
                break
            current = following
        rings.append(ring + ring[:1])
    return rings
