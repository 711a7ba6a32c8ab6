# SPDX-License-Identifier: Apache-2.0
# Reads a JSON list of YAML texts and writes what PyYAML's parser sees in each, as JSON, with plain
# scalars and keys as model/descriptions/yamltext.h promises; null: it is no YAML. With --dump it
# reads a list of objects of lists and writes, for each, YAML texts and what they say.
import json
import re
import sys

import yaml

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$")


def scalar(node):
    text = node.value
    if node.style is not None or node.tag.startswith("!"):
        return text
    if text in ("", "~", "null"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    return json.loads(text) if NUMBER.match(text) else text


def value(node):
    if isinstance(node, yaml.ScalarNode):
        return scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [value(item) for item in node.value]
    own = {}
    for key, item in node.value:
        own.setdefault(key.value, value(item))
    return own


def read(text):
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        return json.dumps(value(node) if node else None)
    except yaml.YAMLError:
        return None


def texts_of(content):
    return {name: [item for item in items if isinstance(item, str)] for name, items in content.items()}


def dumped(content):
    """Texts in several styles, each with what it says; a style for all scalars would tag others than texts."""
    result = []
    for style in (None, '"', "'", "|", ">"):
        said = content if style is None else texts_of(content)
        for flow in (False, True, None):
            for width in (20, 400):
                text = yaml.safe_dump(said, default_flow_style=flow, default_style=style, allow_unicode=True, width=width)
                result.append([text, json.dumps(said)])
    return result


texts = json.load(sys.stdin)
json.dump([dumped(text) for text in texts] if "--dump" in sys.argv else [read(text) for text in texts], sys.stdout)
