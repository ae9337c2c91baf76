"""Makes the simulated walker's route: a closed loop along the streets of the bundled extract.

    script/setup && python3 script/maps/make_walk.py .cache/map/sources/helsinki.osm.pbf \\
        Sources/YonderServer/Resources/helsinki-walk.gpx

Needs osmium-tool. The same extract gives the same bytes. The loop runs through the corners below by the
most pleasant way between each two: parks, squares and walking streets cost less than their length, big
roads and stairs more, and an edge already walked costs so much that no leg turns back on itself.
"""

import collections
import heapq
import itertools
import math
import sys

import opl

# (latitude, longitude) of the corners, in order: by the railway square, Kaisaniemi park, the university,
# the Esplanade park (two), the Three Smiths, Aleksanterinkatu.
CORNERS = (
    (60.1711, 24.9455),
    (60.1735, 24.9478),
    (60.1699, 24.9506),
    (60.1677, 24.9488),
    (60.1673, 24.9460),
    (60.1686, 24.9416),
    (60.1692, 24.9455),
)
# How much longer than it is a metre feels.
COST = {
    "footway": 0.8, "path": 0.8, "pedestrian": 0.7, "living_street": 0.8, "residential": 1.0,
    "unclassified": 1.0, "cycleway": 1.2, "service": 1.5, "tertiary": 1.4, "secondary": 1.8,
    "primary": 2.2, "steps": 3.0,
}
REPEAT_COST = 50
MAX_POINTS = 400


def way_cost(tags):
    """What a metre costs here, or None where nobody walks in the open air."""
    closed = tags.get("access") in ("no", "private") or tags.get("foot") == "no"
    below = tags.get("layer", "").startswith("-") or tags.get("level", "0") != "0"
    inside = any(tags.get(key, "no") != "no" for key in ("tunnel", "indoor", "covered"))
    if closed or below or inside or tags.get("area") == "yes":
        return None
    return COST.get(tags.get("highway"))


def metres(a, b):
    north = (a[0] - b[0]) * 111_200
    east = (a[1] - b[1]) * 111_200 * math.cos(math.radians(a[0]))
    return math.hypot(north, east)


def build_graph(places, ways):
    graph = collections.defaultdict(dict)
    for nodes, tags in ways:
        cost = way_cost(tags)
        if cost is None:
            continue
        for a, b in itertools.pairwise(nodes):
            # The extract is cut out: ways reach beyond it to nodes it does not hold.
            if a in places and b in places:
                length = metres(places[a], places[b]) * cost
                graph[a][b] = graph[b][a] = min(length, graph[a].get(b, math.inf))
    return largest_part(graph)


def largest_part(graph):
    unseen, best = set(graph), set()
    while unseen:
        part, edge = set(), [min(unseen)]
        while edge:
            node = edge.pop()
            if node not in part:
                part.add(node)
                edge.extend(graph[node])
        unseen -= part
        best = max(best, part, key=len)
    return {node: graph[node] for node in best}


def cheapest(graph, start, goal, walked):
    """Dijkstra's way from start to goal as a list of nodes; ties go to the smaller node id."""
    best, before, queue = {start: 0.0}, {}, [(0.0, start)]
    while queue:
        cost, node = heapq.heappop(queue)
        if node == goal:
            break
        if cost > best[node]:
            continue
        for other, length in graph[node].items():
            factor = REPEAT_COST if frozenset((node, other)) in walked else 1
            total = cost + length * factor
            if total < best.get(other, math.inf):
                best[other], before[other] = total, node
                heapq.heappush(queue, (total, other))
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def loop(graph, places):
    corners = [min(sorted(graph), key=lambda node: metres(places[node], corner)) for corner in CORNERS]
    walked, way = set(), [corners[0]]
    for start, goal in itertools.pairwise(corners + corners[:1]):
        leg = cheapest(graph, start, goal, walked)
        walked.update(frozenset(edge) for edge in itertools.pairwise(leg))
        way += leg[1:]
    return without_spurs(way)


def without_spurs(way):
    """Drops every there-and-back from a closed way: corners that lie at the end of a lane."""
    ring = way[:-1]
    index = 0
    while index < len(ring) and len(ring) > 2:
        if ring[index - 1] == ring[(index + 1) % len(ring)]:
            doomed = {index, (index + 1) % len(ring)}
            ring = [node for place, node in enumerate(ring) if place not in doomed]
            index = max(0, index - 2)
        else:
            index += 1
    return ring + ring[:1]


def gpx(points):
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gpx version="1.1" creator="Yonder" xmlns="http://www.topografix.com/GPX/1/1">',
        "<metadata><name>A walk in Helsinki</name>",
        '<copyright author="OpenStreetMap contributors">'
        "<license>https://opendatacommons.org/licenses/odbl/1-0/</license></copyright></metadata>",
        "<trk><name>A walk in Helsinki</name><trkseg>",
    ]
    lines += [f'<trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"/>' for latitude, longitude in points]
    return "\n".join(lines + ["</trkseg></trk>", "</gpx>", ""])


def main(extract, out):
    places, ways = opl.read(extract)
    way = loop(build_graph(places, ways), places)
    points = [places[node] for node in way]
    length = sum(metres(a, b) for a, b in itertools.pairwise(points))
    edges = collections.Counter(frozenset(edge) for edge in itertools.pairwise(way))
    print(f"{len(points)} points, {length:.0f} m, {sum(n > 1 for n in edges.values())} edges walked twice")
    if len(points) > MAX_POINTS or not 1500 <= length <= 2500:
        sys.exit("not the walk it should be: move a corner")
    with open(out, "w", encoding="utf-8") as file:
        file.write(gpx(points))


if __name__ == "__main__":
    main(*sys.argv[1:])
