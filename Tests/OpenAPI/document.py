"""The server's OpenAPI document, and whether an answer is one that it promises."""

import json
import re

import jsonschema_rs

COMPOSITIONS = ("allOf", "anyOf", "oneOf")


class Document:
    def __init__(self, document):
        self.document = document
        schemas = document["components"]["schemas"]
        self._open = {"components": {"schemas": schemas}}
        closed = {name: closed_schema(schema, is_part=True) for name, schema in schemas.items()}
        self._closed = {"components": {"schemas": closed}}

    def operations(self):
        """(method, path, operation), for all of them."""
        for path, item in self.document["paths"].items():
            for method, operation in item.items():
                yield method.upper(), path, operation

    def operation(self, method, path):
        """The path's pattern and the operation of a request; one that is written out counts more than a pattern."""
        path = path.partition("?")[0]
        found = [
            (pattern.count("{"), pattern)
            for pattern in self.document["paths"]
            if re.fullmatch(re.sub(r"{\w+}", "[^/]+", re.escape(pattern).replace(r"\{", "{").replace(r"\}", "}")), path)
        ]
        pattern = min(found)[1]
        return pattern, self.document["paths"][pattern][method.lower()]

    def resolved(self, value):
        while "$ref" in value:
            found = self.document
            for key in value["$ref"].removeprefix("#/").split("/"):
                found = found[key]
            value = found
        return value

    def problems_of_answer(self, method, path, status, headers, body):
        """What an answer does that the document does not say, as sentences."""
        _, operation = self.operation(method, path)
        if str(status) not in operation["responses"]:
            return [f"the status {status} is not in the document"]
        response = self.resolved(operation["responses"][str(status)])
        problems = []
        for name, header in response.get("headers", {}).items():
            header = self.resolved(header)
            if name not in headers:
                if header.get("required"):
                    problems.append(f"the header {name} is missing")
                continue
            value = headers[name]
            if header["schema"].get("type") == "integer" and re.fullmatch(r"\d+", value):
                value = int(value)
            problems += self.problems(header["schema"], value, f"the header {name}")
        contents = response.get("content")
        if not contents:
            return problems + (["a body where the document has none"] if body else [])
        media = headers.get("Content-Type", "")
        if media not in contents:
            return problems + [f"the type {media!r} is not in the document"]
        if "json" in media:
            problems += self.problems(contents[media]["schema"], json.loads(body), "the body")
        return problems

    def problems_of_request(self, method, path, body):
        """What a body that the server took holds that the document does not allow."""
        _, operation = self.operation(method, path)
        if "requestBody" not in operation:
            return []
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        return self.problems(schema, body, "the request's body", is_closed=False)

    def problems_of_examples(self):
        """What is wrong with the document's own examples."""
        problems = []
        for name, schema in self.document["components"]["schemas"].items():
            for example in schema.get("examples", []):
                problems += self.problems(schema, example, f"an example of {name}")
        for method, path, operation in self.operations():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                for name, example in media.get("examples", {}).items():
                    what = f"the example {name} of {method} {path}"
                    problems += self.problems(media["schema"], example["value"], what)
        return problems

    def problems(self, schema, value, what, is_closed=True):
        """What is wrong with a value; closed: also that it holds keys which are not written down."""
        if is_closed:
            schema = {**closed_schema(schema), **self._closed}
        else:
            schema = {**schema, **self._open}
        validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        return [
            f"{what}: {error.message} at /{'/'.join(map(str, error.instance_path))}"
            for error in validator.iter_errors(value)
        ]


def closed_schema(schema, is_part=False):
    """The schema without room for keys that it does not name. Clients leave room: the document does as well."""
    if not isinstance(schema, dict):
        return schema
    closed = dict(schema)
    for key in ("properties", "patternProperties"):
        if key in schema:
            closed[key] = {name: closed_schema(value) for name, value in schema[key].items()}
    for key in ("items", "additionalProperties"):
        if key in schema:
            closed[key] = closed_schema(schema[key])
    for key in COMPOSITIONS:
        if key in schema:
            closed[key] = [closed_schema(value, is_part=True) for value in schema[key]]
    is_object = any(key in schema for key in ("$ref", "properties", *COMPOSITIONS))
    if is_object and not is_part and "additionalProperties" not in schema:
        closed["unevaluatedProperties"] = False
    return closed
