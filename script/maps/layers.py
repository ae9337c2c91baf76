"""Turns raw map data into GeoJSON lines, one file a tile layer, for tippecanoe.

    layers.py world COUNTRIES.shp CITIES.json OUT    # needs pyshp on PYTHONPATH
    layers.py city OSM.pbf OSM.geojsonl OUT          # the second as `osmium export -f geojsonseq` writes it

A feature's `tippecanoe.minzoom` keeps it out of tiles where it would only be noise.
"""

import collections
import json
import math
import pathlib
import sys

import sea

# Population above which a city gets rank 2, 3, ...; the rank decides where and how large it is drawn.
CITY_POPULATION = (5e6, 2e6, 1e6, 5e5, 2e5, 1e5)
# A populated place this close to a larger one is a district of it, whatever the gazetteer says.
DISTRICT_KM = 10

# OSM highway values by rank: 0 is the widest road, 7 what only feet and wheels use.
ROAD_RANKS = (
    ("motorway", "trunk"),
    ("primary",),
    ("secondary",),
    ("tertiary",),
    ("unclassified", "residential", "living_street"),
    ("pedestrian",),
    ("service",),
    ("footway", "path", "cycleway", "steps", "track"),
)
ROAD_RANK = {value: rank for rank, values in enumerate(ROAD_RANKS) for value in values}
ROAD_MIN_ZOOM = (10, 10, 11, 12, 13, 13, 14, 14)
GREEN = {
    "leisure": {"park", "garden", "pitch", "playground"},
    "landuse": {"grass", "forest", "cemetery", "recreation_ground"},
    "natural": {"wood", "scrub"},
}
RAIL = {"rail", "tram", "light_rail"}
# Places people meet at or find their way by; all other named ones are shown a zoom later.
LANDMARKS = {
    "station", "museum", "theatre", "library", "university", "hospital", "arts_centre", "attraction",
    "place_of_worship", "cinema", "marketplace", "townhall", "gallery",
}


def write(path, features):
    with open(path, "w", encoding="utf-8") as out:
        for feature in features:
            out.write(json.dumps({"type": "Feature", **feature}, ensure_ascii=False) + "\n")


def point(longitude, latitude):
    return {"type": "Point", "coordinates": [longitude, latitude]}


def countries(shapefile_path):
    import shapefile

    land, labels = [], []
    for item in shapefile.Reader(str(shapefile_path), encoding="utf-8").iterShapeRecords():
        record = item.record.as_dict()
        land.append({"properties": {}, "geometry": item.shape.__geo_interface__})
        labels.append({
            "tippecanoe": {"minzoom": max(0, min(6, int(record["MIN_LABEL"]) - 1))},
            "properties": {"name": record["NAME_EN"], "rank": record["LABELRANK"]},
            "geometry": point(record["LABEL_X"], record["LABEL_Y"]),
        })
    return land, labels


def is_district(city, larger):
    """Whether a larger city lies within DISTRICT_KM; flat-earth distance is near enough here."""
    for other in larger:
        north = (city["latitude"] - other["latitude"]) * 111.2
        if abs(north) > DISTRICT_KM:
            continue
        east = (city["longitude"] - other["longitude"]) * 111.2 * math.cos(math.radians(city["latitude"]))
        if math.hypot(north, east) < DISTRICT_KM:
            return True
    return False


def cities(path):
    kept = []
    everything = json.loads(pathlib.Path(path).read_text(encoding="utf-8")).values()
    for city in sorted(everything, key=lambda c: (-c["population"], c["geonameid"])):
        if city["population"] <= CITY_POPULATION[-1]:
            break
        if not is_district(city, kept):
            kept.append(city)
    features = []
    for city in kept:
        rank = next(r for r, floor in enumerate(CITY_POPULATION, 2) if city["population"] > floor)
        features.append({
            "tippecanoe": {"minzoom": max(0, rank - 1)},
            "properties": {"name": city["name"], "rank": rank},
            "geometry": point(city["longitude"], city["latitude"]),
        })
    return features


def world(countries_path, cities_path, out):
    land, labels = countries(countries_path)
    write(out / "land.geojsonl", land)
    write(out / "country_label.geojsonl", labels)
    write(out / "city.geojsonl", cities(cities_path))


def area_layer(tags, highway):
    """(layer, minzoom, properties) of a polygon, or None when the map does not show it."""
    name = tags.get("name")
    if tags.get("building") and tags.get("location") != "underground":
        return "building", 13, {"name": name}
    if tags.get("natural") == "water" or tags.get("waterway") == "riverbank":
        return "water", 10, {"name": name}
    if any(tags.get(key) in values for key, values in GREEN.items()):
        return "green", 11, {"name": name}
    open_ground = tags.get("place") == "square" or tags.get("railway") == "platform"
    if open_ground or highway in ("pedestrian", "footway"):
        return "plaza", 13, {"name": name}
    return None


def line_layer(tags, highway):
    # What runs below ground would be drawn across the houses above it.
    underground = (
        tags.get("tunnel") == "yes" or tags.get("indoor") == "yes" or tags.get("layer", "").startswith("-")
    )
    if highway in ROAD_RANK:
        rank = ROAD_RANK[highway]
        if underground and rank >= 5:
            return None
        return "road", ROAD_MIN_ZOOM[rank], {"name": tags.get("name"), "rank": rank}
    if tags.get("railway") in RAIL and not underground:
        return "rail", 11, {"kind": tags["railway"]}
    return None


def point_layer(tags):
    name = tags.get("name")
    if not name:
        return None
    if tags.get("place"):
        return "place", 10, {"name": name, "kind": tags["place"]}
    kind = tags.get("amenity") or tags.get("shop") or tags.get("tourism")
    if tags.get("railway") == "station":
        kind = "station"
    return ("poi", 14, {"name": name, "kind": kind, "rank": int(kind not in LANDMARKS)}) if kind else None


def city(extract, features, out):
    layers = collections.defaultdict(list)
    layers["water"] = [
        {
            "tippecanoe": {"minzoom": 10},
            "properties": {},
            "geometry": {"type": "Polygon", "coordinates": [ring]},
        }
        for ring in sea.polygons(extract)
    ]
    with open(features, encoding="utf-8") as lines:
        for line in lines:
            feature = json.loads(line)
            tags, shape = feature["properties"], feature["geometry"]["type"]
            highway = tags.get("highway", "").removesuffix("_link")
            if shape.endswith("Polygon"):
                found = area_layer(tags, highway)
            elif shape == "LineString":
                found = line_layer(tags, highway)
            else:
                found = point_layer(tags)
            if found:
                layer, min_zoom, properties = found
                layers[layer].append({
                    "tippecanoe": {"minzoom": min_zoom},
                    "properties": {k: v for k, v in properties.items() if v is not None},
                    "geometry": feature["geometry"],
                })
    for layer, features in layers.items():
        write(out / f"{layer}.geojsonl", features)


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    {"world": world, "city": city}[command](*map(pathlib.Path, paths))
