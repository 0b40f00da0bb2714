"""The tables of the parser, written from grammar.lark by `python tools/parser_tables.py`.

A state is the index of a row of `ACTIONS`. The row has the next step for each symbol, which is a type of
token or the name of a rule. A step of 0 or more is the next state; a step below 0 is -1 - k and reduces
production k. A production has the name of its rule, its number of symbols, and the name of the method of
`Builder` that makes a node of its parts, or "" if its only part stays as it is.
"""

# fmt: off
END = 1  # the state after a whole script
PRODUCTIONS: tuple[tuple[str, int, str], ...] = (
    ("action", 1, "action"),
    ("action", 4, "action_call"),
    ("action", 5, "action_call"),
    ("action", 1, "action"),
    ("action", 4, "action_with_value"),
    ("action", 3, "average"),
    ("action", 2, "average"),
    ("actions", 1, "one"),
    ("actions", 3, "another"),
    ("argument", 1, "card"),
    ("argument", 1, "contract"),
    ("argument", 1, "whole_deal"),
    ("argument", 1, "item"),
    ("argument", 4, "call"),
    ("argument", 1, "seat"),
    ("argument", 1, "side"),
    ("argument", 1, "strain"),
    ("argument", 1, "string"),
    ("argument", 1, "suit"),
    ("argument", 1, "vulnerability"),
    ("argument", 1, ""),
    ("arguments", 0, "nothing"),
    ("arguments", 1, "arguments"),
    ("branches", 5, "branches"),
    ("branches", 5, "branches"),
    ("branches", 4, "branches"),
    ("branches", 4, "branches"),
    ("chain", 3, "chain_more"),
    ("chain", 3, "chain_more"),
    ("chain", 3, "chain_more"),
    ("chain", 3, "chain_more"),
    ("chain", 3, "chain_begin"),
    ("chain", 3, "chain_begin"),
    ("chain", 3, "chain_begin"),
    ("chain", 3, "chain_begin"),
    ("expression", 2, "choice"),
    ("expression", 2, "choice"),
    ("expression", 1, "tree"),
    ("expression", 1, ""),
    ("holdings", 1, "one"),
    ("holdings", 3, "another"),
    ("level_type", 2, "level_type"),
    ("level_type", 4, "level_type"),
    ("level_types", 1, "one"),
    ("level_types", 3, "another"),
    ("number", 2, "number"),
    ("number", 1, "number"),
    ("numbers", 0, "nothing"),
    ("numbers", 2, "another"),
    ("operand", 1, "number"),
    ("operand", 1, ""),
    ("predeal_item", 2, "predeal_hand"),
    ("predeal_item", 2, "predeal_cards"),
    ("predeal_item", 6, "predeal_length"),
    ("predeal_items", 1, "one"),
    ("predeal_items", 2, "another"),
    ("shape_term", 2, "shape_term"),
    ("shape_term", 3, "shape_term"),
    ("shape_term", 2, "shape_term"),
    ("shape_term", 1, "shape_term"),
    ("shape_term", 3, "shape_term"),
    ("shape_term", 2, "shape_term"),
    ("shape_term", 3, "shape_term"),
    ("shape_term", 2, "shape_term"),
    ("shape_terms", 1, "one"),
    ("shape_terms", 2, "another"),
    ("some_arguments", 1, "one"),
    ("some_arguments", 3, "another"),
    ("start", 1, "start"),
    ("statement", 1, "action_list"),
    ("statement", 2, "action_list"),
    ("statement", 3, "action_list"),
    ("statement", 2, "point_table"),
    ("statement", 2, "condition"),
    ("statement", 3, "count_setting"),
    ("statement", 2, "count_setting"),
    ("statement", 2, "level"),
    ("statement", 3, "level"),
    ("statement", 3, "definition"),
    ("statement", 2, "point_table"),
    ("statement", 2, "predeal"),
    ("statement", 3, "seat_setting"),
    ("statement", 2, "seat_setting"),
    ("statement", 3, "title_setting"),
    ("statement", 2, "title_setting"),
    ("statement", 3, "vulnerable_setting"),
    ("statement", 2, "vulnerable_setting"),
    ("statement", 1, "bare_condition"),
    ("statements", 0, "nothing"),
    ("statements", 2, "another"),
    ("unsigned", 4, "call"),
    ("unsigned", 5, "call"),
    ("unsigned", 3, "parentheses"),
    ("unsigned", 2, "number"),
    ("unsigned", 2, "negate"),
    ("unsigned", 1, "name"),
    ("unsigned", 2, "not_"),
    ("unsigned", 2, "brace_shape"),
    ("unsigned", 6, "shape"),
    ("unsigned", 4, "call"),
)
ACTIONS: tuple[dict[str, int], ...] = (
    {"$END": -89, "ACTION": -89, "ALTCOUNT": -89, "CONDITION": -89, "COUNT": -89, "FUNCTION": -89, "LEVEL":
     -89, "LPAR": -89, "MINUS": -89, "NAME": -89, "NOT": -89, "NUMBER": -89, "POINTCOUNT": -89, "PREDEAL":
     -89, "SEAT_SETTING": -89, "SHAPE": -89, "SUIT": -89, "TITLE": -89, "VULNERABLE": -89, "start": 1,
     "statements": 2},
    {},
    {"$END": -69, "ACTION": 3, "ALTCOUNT": 4, "CONDITION": 5, "COUNT": 6, "FUNCTION": 7, "LEVEL": 8, "LPAR":
     9, "MINUS": 10, "NAME": 11, "NOT": 12, "NUMBER": 13, "POINTCOUNT": 14, "PREDEAL": 15, "SEAT_SETTING": 16,
     "SHAPE": 17, "SUIT": 18, "TITLE": 19, "VULNERABLE": 20, "branches": 21, "chain": 22, "expression": 23,
     "operand": 24, "statement": 25, "unsigned": 26},
    {"$END": -70, "ACTION": -70, "ACTION_BARE": 27, "ACTION_CALL": 28, "ACTION_OPTIONAL": 29, "ALTCOUNT": -70,
     "AVERAGE": 30, "CONDITION": -70, "COUNT": -70, "FUNCTION": -70, "LEVEL": -70, "LPAR": -70, "MINUS": -70,
     "NAME": -70, "NOT": -70, "NUMBER": -70, "POINTCOUNT": -70, "PREDEAL": -70, "SEAT_SETTING": -70, "SHAPE":
     -70, "SUIT": -70, "TITLE": -70, "VULNERABLE": -70, "action": 31, "actions": 32},
    {"$END": -48, "ACTION": -48, "ALTCOUNT": -48, "CONDITION": -48, "COUNT": -48, "FUNCTION": -48, "LEVEL":
     -48, "LPAR": -48, "MINUS": -48, "NAME": -48, "NOT": -48, "NUMBER": -48, "POINTCOUNT": -48, "PREDEAL":
     -48, "SEAT_SETTING": -48, "SHAPE": -48, "SUIT": -48, "TITLE": -48, "VULNERABLE": -48, "numbers": 33},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 35, "operand": 24, "unsigned": 26},
    {"ASSIGN": 36, "NUMBER": 37},
    {"LPAR": 38},
    {"STRING": 39, "level_type": 40, "level_types": 41},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 42, "operand": 24, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 43, "SHAPE": 17, "SUIT": 18,
     "unsigned": 44},
    {"$END": -96, "ACTION": -96, "ALTCOUNT": -96, "ASSIGN": 45, "CONDITION": -96, "COUNT": -96, "EQUAL": -96,
     "FUNCTION": -96, "LEVEL": -96, "LPAR": -96, "MINUS": -96, "NAME": -96, "NOT": -96, "NUMBER": -96,
     "OPERATOR": -96, "PLUS": -96, "POINTCOUNT": -96, "PREDEAL": -96, "QUESTION": -96, "SEAT_SETTING": -96,
     "SHAPE": -96, "SUIT": -96, "TITLE": -96, "VULNERABLE": -96},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 46, "unsigned": 26},
    {"$END": -50, "ACTION": -50, "ALTCOUNT": -50, "COLON": -50, "COMMA": -50, "CONDITION": -50, "COUNT": -50,
     "EQUAL": -50, "FUNCTION": -50, "LEVEL": -50, "LPAR": -50, "MINUS": -50, "NAME": -50, "NOT": -50,
     "NUMBER": -50, "OPERATOR": -50, "PLUS": -50, "POINTCOUNT": -50, "PREDEAL": -50, "QUESTION": -50, "RPAR":
     -50, "SEAT_SETTING": -50, "SHAPE": -50, "SHARE": -50, "SUIT": -50, "TITLE": -50, "VULNERABLE": -50},
    {"$END": -48, "ACTION": -48, "ALTCOUNT": -48, "CONDITION": -48, "COUNT": -48, "FUNCTION": -48, "LEVEL":
     -48, "LPAR": -48, "MINUS": -48, "NAME": -48, "NOT": -48, "NUMBER": -48, "POINTCOUNT": -48, "PREDEAL":
     -48, "SEAT_SETTING": -48, "SHAPE": -48, "SUIT": -48, "TITLE": -48, "VULNERABLE": -48, "numbers": 47},
    {"SEAT": 48, "SUIT": 49, "predeal_item": 50, "predeal_items": 51},
    {"ASSIGN": 52, "SEAT": 53},
    {"BRACE": 54, "LPAR": 55},
    {"LPAR": 56},
    {"ASSIGN": 57, "STRING": 58},
    {"ASSIGN": 59, "VULWORD": 60},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "chain": 61, "operand": 62, "unsigned": 26},
    {"$END": -38, "ACTION": -38, "ALTCOUNT": -38, "COLON": -38, "COMMA": -38, "CONDITION": -38, "COUNT": -38,
     "EQUAL": 63, "FUNCTION": -38, "LEVEL": -38, "LPAR": -38, "MINUS": 64, "NAME": -38, "NOT": -38, "NUMBER":
     -38, "OPERATOR": 65, "PLUS": 66, "POINTCOUNT": -38, "PREDEAL": -38, "QUESTION": 67, "RPAR": -38,
     "SEAT_SETTING": -38, "SHAPE": -38, "SHARE": -38, "SUIT": -38, "TITLE": -38, "VULNERABLE": -38},
    {"$END": -88, "ACTION": -88, "ALTCOUNT": -88, "CONDITION": -88, "COUNT": -88, "FUNCTION": -88, "LEVEL":
     -88, "LPAR": -88, "MINUS": -88, "NAME": -88, "NOT": -88, "NUMBER": -88, "POINTCOUNT": -88, "PREDEAL":
     -88, "SEAT_SETTING": -88, "SHAPE": -88, "SUIT": -88, "TITLE": -88, "VULNERABLE": -88},
    {"$END": -39, "ACTION": -39, "ALTCOUNT": -39, "COLON": -39, "COMMA": -39, "CONDITION": -39, "COUNT": -39,
     "EQUAL": 68, "FUNCTION": -39, "LEVEL": -39, "LPAR": -39, "MINUS": 69, "NAME": -39, "NOT": -39, "NUMBER":
     -39, "OPERATOR": 70, "PLUS": 71, "POINTCOUNT": -39, "PREDEAL": -39, "QUESTION": 72, "RPAR": -39,
     "SEAT_SETTING": -39, "SHAPE": -39, "SHARE": -39, "SUIT": -39, "TITLE": -39, "VULNERABLE": -39},
    {"$END": -90, "ACTION": -90, "ALTCOUNT": -90, "CONDITION": -90, "COUNT": -90, "FUNCTION": -90, "LEVEL":
     -90, "LPAR": -90, "MINUS": -90, "NAME": -90, "NOT": -90, "NUMBER": -90, "POINTCOUNT": -90, "PREDEAL":
     -90, "SEAT_SETTING": -90, "SHAPE": -90, "SUIT": -90, "TITLE": -90, "VULNERABLE": -90},
    {"$END": -51, "ACTION": -51, "ALTCOUNT": -51, "COLON": -51, "COMMA": -51, "CONDITION": -51, "COUNT": -51,
     "EQUAL": -51, "FUNCTION": -51, "LEVEL": -51, "LPAR": -51, "MINUS": -51, "NAME": -51, "NOT": -51,
     "NUMBER": -51, "OPERATOR": -51, "PLUS": -51, "POINTCOUNT": -51, "PREDEAL": -51, "QUESTION": -51, "RPAR":
     -51, "SEAT_SETTING": -51, "SHAPE": -51, "SHARE": -51, "SUIT": -51, "TITLE": -51, "VULNERABLE": -51},
    {"$END": -1, "ACTION": -1, "ALTCOUNT": -1, "COMMA": -1, "CONDITION": -1, "COUNT": -1, "FUNCTION": -1,
     "LEVEL": -1, "LPAR": -1, "MINUS": -1, "NAME": -1, "NOT": -1, "NUMBER": -1, "POINTCOUNT": -1, "PREDEAL":
     -1, "SEAT_SETTING": -1, "SHAPE": -1, "SUIT": -1, "TITLE": -1, "VULNERABLE": -1},
    {"LPAR": 73, "STRING": 74},
    {"$END": -4, "ACTION": -4, "ALTCOUNT": -4, "COMMA": -4, "CONDITION": -4, "COUNT": -4, "FUNCTION": -4,
     "LEVEL": -4, "LPAR": 75, "MINUS": -4, "NAME": -4, "NOT": -4, "NUMBER": -4, "POINTCOUNT": -4, "PREDEAL":
     -4, "SEAT_SETTING": -4, "SHAPE": -4, "SUIT": -4, "TITLE": -4, "VULNERABLE": -4},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "STRING": 76,
     "SUIT": 18, "branches": 21, "chain": 22, "expression": 77, "operand": 24, "unsigned": 26},
    {"$END": -8, "ACTION": -8, "ALTCOUNT": -8, "COMMA": -8, "CONDITION": -8, "COUNT": -8, "FUNCTION": -8,
     "LEVEL": -8, "LPAR": -8, "MINUS": -8, "NAME": -8, "NOT": -8, "NUMBER": -8, "POINTCOUNT": -8, "PREDEAL":
     -8, "SEAT_SETTING": -8, "SHAPE": -8, "SUIT": -8, "TITLE": -8, "VULNERABLE": -8},
    {"$END": -71, "ACTION": -71, "ALTCOUNT": -71, "COMMA": 78, "CONDITION": -71, "COUNT": -71, "FUNCTION":
     -71, "LEVEL": -71, "LPAR": -71, "MINUS": -71, "NAME": -71, "NOT": -71, "NUMBER": -71, "POINTCOUNT": -71,
     "PREDEAL": -71, "SEAT_SETTING": -71, "SHAPE": -71, "SUIT": -71, "TITLE": -71, "VULNERABLE": -71},
    {"$END": -73, "ACTION": -73, "ALTCOUNT": -73, "CONDITION": -73, "COUNT": -73, "FUNCTION": -73, "LEVEL":
     -73, "LPAR": -73, "MINUS": 79, "NAME": -73, "NOT": -73, "NUMBER": 80, "POINTCOUNT": -73, "PREDEAL": -73,
     "SEAT_SETTING": -73, "SHAPE": -73, "SUIT": -73, "TITLE": -73, "VULNERABLE": -73, "number": 81},
    {"$END": -96, "ACTION": -96, "ALTCOUNT": -96, "COLON": -96, "COMMA": -96, "CONDITION": -96, "COUNT": -96,
     "EQUAL": -96, "FUNCTION": -96, "LEVEL": -96, "LPAR": -96, "MINUS": -96, "NAME": -96, "NOT": -96,
     "NUMBER": -96, "OPERATOR": -96, "PLUS": -96, "POINTCOUNT": -96, "PREDEAL": -96, "QUESTION": -96, "RPAR":
     -96, "SEAT_SETTING": -96, "SHAPE": -96, "SHARE": -96, "SUIT": -96, "TITLE": -96, "VULNERABLE": -96},
    {"$END": -74, "ACTION": -74, "ALTCOUNT": -74, "CONDITION": -74, "COUNT": -74, "FUNCTION": -74, "LEVEL":
     -74, "LPAR": -74, "MINUS": -74, "NAME": -74, "NOT": -74, "NUMBER": -74, "POINTCOUNT": -74, "PREDEAL":
     -74, "SEAT_SETTING": -74, "SHAPE": -74, "SUIT": -74, "TITLE": -74, "VULNERABLE": -74},
    {"NUMBER": 82},
    {"$END": -76, "ACTION": -76, "ALTCOUNT": -76, "CONDITION": -76, "COUNT": -76, "FUNCTION": -76, "LEVEL":
     -76, "LPAR": -76, "MINUS": -76, "NAME": -76, "NOT": -76, "NUMBER": -76, "POINTCOUNT": -76, "PREDEAL":
     -76, "SEAT_SETTING": -76, "SHAPE": -76, "SUIT": -76, "TITLE": -76, "VULNERABLE": -76},
    {"CARD": 83, "CONTRACT": 84, "DEAL": 85, "FUNCTION": 7, "ITEM": 86, "LPAR": 9, "MINUS": 10, "NAME": 34,
     "NOT": 12, "NUMBER": 13, "RPAR": -22, "SEAT": 87, "SHAPE": 17, "SIDE": 88, "STRAIN": 89, "STRING": 90,
     "SUIT": 91, "VULWORD": 92, "argument": 93, "arguments": 94, "branches": 21, "chain": 22, "expression":
     95, "operand": 24, "some_arguments": 96, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 97, "operand": 24, "unsigned": 26},
    {"$END": -44, "ACTION": -44, "ALTCOUNT": -44, "COMMA": -44, "CONDITION": -44, "COUNT": -44, "FUNCTION":
     -44, "LEVEL": -44, "LPAR": -44, "MINUS": -44, "NAME": -44, "NOT": -44, "NUMBER": -44, "POINTCOUNT": -44,
     "PREDEAL": -44, "SEAT_SETTING": -44, "SHAPE": -44, "SUIT": -44, "TITLE": -44, "VULNERABLE": -44},
    {"$END": -77, "ACTION": -77, "ALTCOUNT": -77, "COMMA": 98, "CONDITION": -77, "COUNT": -77, "FUNCTION":
     -77, "LEVEL": -77, "LPAR": -77, "MINUS": -77, "NAME": -77, "NOT": -77, "NUMBER": -77, "POINTCOUNT": -77,
     "PREDEAL": -77, "SEAT_SETTING": -77, "SHAPE": -77, "SUIT": -77, "TITLE": -77, "VULNERABLE": -77},
    {"RPAR": 99},
    {"$END": -94, "ACTION": -94, "ALTCOUNT": -94, "COLON": -94, "COMMA": -94, "CONDITION": -94, "COUNT": -94,
     "EQUAL": -94, "FUNCTION": -94, "LEVEL": -94, "LPAR": -94, "MINUS": -94, "NAME": -94, "NOT": -94,
     "NUMBER": -94, "OPERATOR": -94, "PLUS": -94, "POINTCOUNT": -94, "PREDEAL": -94, "QUESTION": -94, "RPAR":
     -94, "SEAT_SETTING": -94, "SHAPE": -94, "SHARE": -94, "SUIT": -94, "TITLE": -94, "VULNERABLE": -94},
    {"$END": -95, "ACTION": -95, "ALTCOUNT": -95, "COLON": -95, "COMMA": -95, "CONDITION": -95, "COUNT": -95,
     "EQUAL": -95, "FUNCTION": -95, "LEVEL": -95, "LPAR": -95, "MINUS": -95, "NAME": -95, "NOT": -95,
     "NUMBER": -95, "OPERATOR": -95, "PLUS": -95, "POINTCOUNT": -95, "PREDEAL": -95, "QUESTION": -95, "RPAR":
     -95, "SEAT_SETTING": -95, "SHAPE": -95, "SHARE": -95, "SUIT": -95, "TITLE": -95, "VULNERABLE": -95},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 100, "operand": 24, "unsigned": 26},
    {"$END": -97, "ACTION": -97, "ALTCOUNT": -97, "COLON": -97, "COMMA": -97, "CONDITION": -97, "COUNT": -97,
     "EQUAL": -97, "FUNCTION": -97, "LEVEL": -97, "LPAR": -97, "MINUS": -97, "NAME": -97, "NOT": -97,
     "NUMBER": -97, "OPERATOR": -97, "PLUS": -97, "POINTCOUNT": -97, "PREDEAL": -97, "QUESTION": -97, "RPAR":
     -97, "SEAT_SETTING": -97, "SHAPE": -97, "SHARE": -97, "SUIT": -97, "TITLE": -97, "VULNERABLE": -97},
    {"$END": -80, "ACTION": -80, "ALTCOUNT": -80, "CONDITION": -80, "COUNT": -80, "FUNCTION": -80, "LEVEL":
     -80, "LPAR": -80, "MINUS": 79, "NAME": -80, "NOT": -80, "NUMBER": 80, "POINTCOUNT": -80, "PREDEAL": -80,
     "SEAT_SETTING": -80, "SHAPE": -80, "SUIT": -80, "TITLE": -80, "VULNERABLE": -80, "number": 81},
    {"HAND": 101, "HOLDING": 102, "holdings": 103},
    {"LPAR": 104},
    {"$END": -55, "ACTION": -55, "ALTCOUNT": -55, "CONDITION": -55, "COUNT": -55, "FUNCTION": -55, "LEVEL":
     -55, "LPAR": -55, "MINUS": -55, "NAME": -55, "NOT": -55, "NUMBER": -55, "POINTCOUNT": -55, "PREDEAL":
     -55, "SEAT": -55, "SEAT_SETTING": -55, "SHAPE": -55, "SUIT": -55, "TITLE": -55, "VULNERABLE": -55},
    {"$END": -81, "ACTION": -81, "ALTCOUNT": -81, "CONDITION": -81, "COUNT": -81, "FUNCTION": -81, "LEVEL":
     -81, "LPAR": -81, "MINUS": -81, "NAME": -81, "NOT": -81, "NUMBER": -81, "POINTCOUNT": -81, "PREDEAL":
     -81, "SEAT": 48, "SEAT_SETTING": -81, "SHAPE": -81, "SUIT": 49, "TITLE": -81, "VULNERABLE": -81,
     "predeal_item": 105},
    {"SEAT": 106},
    {"$END": -83, "ACTION": -83, "ALTCOUNT": -83, "CONDITION": -83, "COUNT": -83, "FUNCTION": -83, "LEVEL":
     -83, "LPAR": -83, "MINUS": -83, "NAME": -83, "NOT": -83, "NUMBER": -83, "POINTCOUNT": -83, "PREDEAL":
     -83, "SEAT_SETTING": -83, "SHAPE": -83, "SUIT": -83, "TITLE": -83, "VULNERABLE": -83},
    {"$END": -98, "ACTION": -98, "ALTCOUNT": -98, "COLON": -98, "COMMA": -98, "CONDITION": -98, "COUNT": -98,
     "EQUAL": -98, "FUNCTION": -98, "LEVEL": -98, "LPAR": -98, "MINUS": -98, "NAME": -98, "NOT": -98,
     "NUMBER": -98, "OPERATOR": -98, "PLUS": -98, "POINTCOUNT": -98, "PREDEAL": -98, "QUESTION": -98, "RPAR":
     -98, "SEAT_SETTING": -98, "SHAPE": -98, "SHARE": -98, "SUIT": -98, "TITLE": -98, "VULNERABLE": -98},
    {"SEAT": 107},
    {"CARD": 83, "CONTRACT": 84, "DEAL": 85, "FUNCTION": 7, "ITEM": 86, "LPAR": 9, "MINUS": 10, "NAME": 34,
     "NOT": 12, "NUMBER": 13, "RPAR": -22, "SEAT": 87, "SHAPE": 17, "SIDE": 88, "STRAIN": 89, "STRING": 90,
     "SUIT": 91, "VULWORD": 92, "argument": 93, "arguments": 108, "branches": 21, "chain": 22, "expression":
     95, "operand": 24, "some_arguments": 96, "unsigned": 26},
    {"STRING": 109},
    {"$END": -85, "ACTION": -85, "ALTCOUNT": -85, "CONDITION": -85, "COUNT": -85, "FUNCTION": -85, "LEVEL":
     -85, "LPAR": -85, "MINUS": -85, "NAME": -85, "NOT": -85, "NUMBER": -85, "POINTCOUNT": -85, "PREDEAL":
     -85, "SEAT_SETTING": -85, "SHAPE": -85, "SUIT": -85, "TITLE": -85, "VULNERABLE": -85},
    {"VULWORD": 110},
    {"$END": -87, "ACTION": -87, "ALTCOUNT": -87, "CONDITION": -87, "COUNT": -87, "FUNCTION": -87, "LEVEL":
     -87, "LPAR": -87, "MINUS": -87, "NAME": -87, "NOT": -87, "NUMBER": -87, "POINTCOUNT": -87, "PREDEAL":
     -87, "SEAT_SETTING": -87, "SHAPE": -87, "SUIT": -87, "TITLE": -87, "VULNERABLE": -87},
    {"$END": -36, "ACTION": -36, "ALTCOUNT": -36, "COLON": -36, "COMMA": -36, "CONDITION": -36, "COUNT": -36,
     "EQUAL": 63, "FUNCTION": -36, "LEVEL": -36, "LPAR": -36, "MINUS": 64, "NAME": -36, "NOT": -36, "NUMBER":
     -36, "OPERATOR": 65, "PLUS": 66, "POINTCOUNT": -36, "PREDEAL": -36, "QUESTION": 111, "RPAR": -36,
     "SEAT_SETTING": -36, "SHAPE": -36, "SHARE": -36, "SUIT": -36, "TITLE": -36, "VULNERABLE": -36},
    {"$END": -37, "ACTION": -37, "ALTCOUNT": -37, "COLON": -37, "COMMA": -37, "CONDITION": -37, "COUNT": -37,
     "EQUAL": 68, "FUNCTION": -37, "LEVEL": -37, "LPAR": -37, "MINUS": 69, "NAME": -37, "NOT": -37, "NUMBER":
     -37, "OPERATOR": 70, "PLUS": 71, "POINTCOUNT": -37, "PREDEAL": -37, "QUESTION": 112, "RPAR": -37,
     "SEAT_SETTING": -37, "SHAPE": -37, "SHARE": -37, "SUIT": -37, "TITLE": -37, "VULNERABLE": -37},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 113, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 114, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 115, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 116, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 117, "operand": 24, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 118, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 119, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 120, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "operand": 121, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 122, "operand": 24, "unsigned": 26},
    {"CARD": 83, "CONTRACT": 84, "DEAL": 85, "FUNCTION": 7, "ITEM": 86, "LPAR": 9, "MINUS": 10, "NAME": 34,
     "NOT": 12, "NUMBER": 13, "RPAR": -22, "SEAT": 87, "SHAPE": 17, "SIDE": 88, "STRAIN": 89, "STRING": 90,
     "SUIT": 91, "VULWORD": 92, "argument": 93, "arguments": 123, "branches": 21, "chain": 22, "expression":
     95, "operand": 24, "some_arguments": 96, "unsigned": 26},
    {"LPAR": 124},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 125, "operand": 24, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 126, "operand": 24, "unsigned": 26},
    {"$END": -7, "ACTION": -7, "ALTCOUNT": -7, "COMMA": -7, "CONDITION": -7, "COUNT": -7, "FUNCTION": -7,
     "LEVEL": -7, "LPAR": -7, "MINUS": -7, "NAME": -7, "NOT": -7, "NUMBER": -7, "POINTCOUNT": -7, "PREDEAL":
     -7, "SEAT_SETTING": -7, "SHAPE": -7, "SUIT": -7, "TITLE": -7, "VULNERABLE": -7},
    {"$END": -72, "ACTION": -72, "ACTION_BARE": 27, "ACTION_CALL": 28, "ACTION_OPTIONAL": 29, "ALTCOUNT": -72,
     "AVERAGE": 30, "CONDITION": -72, "COUNT": -72, "FUNCTION": -72, "LEVEL": -72, "LPAR": -72, "MINUS": -72,
     "NAME": -72, "NOT": -72, "NUMBER": -72, "POINTCOUNT": -72, "PREDEAL": -72, "SEAT_SETTING": -72, "SHAPE":
     -72, "SUIT": -72, "TITLE": -72, "VULNERABLE": -72, "action": 127},
    {"NUMBER": 128},
    {"$END": -47, "ACTION": -47, "ALTCOUNT": -47, "CONDITION": -47, "COUNT": -47, "FUNCTION": -47, "LEVEL":
     -47, "LPAR": -47, "MINUS": -47, "NAME": -47, "NOT": -47, "NUMBER": -47, "POINTCOUNT": -47, "PREDEAL":
     -47, "SEAT_SETTING": -47, "SHAPE": -47, "SUIT": -47, "TITLE": -47, "VULNERABLE": -47},
    {"$END": -49, "ACTION": -49, "ALTCOUNT": -49, "CONDITION": -49, "COUNT": -49, "FUNCTION": -49, "LEVEL":
     -49, "LPAR": -49, "MINUS": -49, "NAME": -49, "NOT": -49, "NUMBER": -49, "POINTCOUNT": -49, "PREDEAL":
     -49, "SEAT_SETTING": -49, "SHAPE": -49, "SUIT": -49, "TITLE": -49, "VULNERABLE": -49},
    {"$END": -75, "ACTION": -75, "ALTCOUNT": -75, "CONDITION": -75, "COUNT": -75, "FUNCTION": -75, "LEVEL":
     -75, "LPAR": -75, "MINUS": -75, "NAME": -75, "NOT": -75, "NUMBER": -75, "POINTCOUNT": -75, "PREDEAL":
     -75, "SEAT_SETTING": -75, "SHAPE": -75, "SUIT": -75, "TITLE": -75, "VULNERABLE": -75},
    {"COMMA": -10, "RPAR": -10},
    {"COMMA": -11, "RPAR": -11},
    {"COMMA": -12, "RPAR": -12},
    {"COMMA": -13, "LPAR": 129, "RPAR": -13},
    {"COMMA": -15, "RPAR": -15},
    {"COMMA": -16, "RPAR": -16},
    {"COMMA": -17, "RPAR": -17},
    {"COMMA": -18, "RPAR": -18},
    {"COMMA": -19, "LPAR": 56, "RPAR": -19},
    {"COMMA": -20, "RPAR": -20},
    {"COMMA": -67, "RPAR": -67},
    {"RPAR": 130},
    {"COMMA": -21, "RPAR": -21},
    {"COMMA": 131, "RPAR": -23},
    {"$END": -42, "ACTION": -42, "ALTCOUNT": -42, "COMMA": -42, "CONDITION": -42, "COUNT": -42, "FUNCTION":
     -42, "LEVEL": -42, "LPAR": -42, "MINUS": -42, "NAME": -42, "NOT": -42, "NUMBER": -42, "POINTCOUNT": -42,
     "PREDEAL": -42, "SEAT_SETTING": -42, "SHAPE": -42, "SHARE": 132, "SUIT": -42, "TITLE": -42, "VULNERABLE":
     -42},
    {"$END": -78, "ACTION": -78, "ALTCOUNT": -78, "CONDITION": -78, "COUNT": -78, "FUNCTION": -78, "LEVEL":
     -78, "LPAR": -78, "MINUS": -78, "NAME": -78, "NOT": -78, "NUMBER": -78, "POINTCOUNT": -78, "PREDEAL":
     -78, "SEAT_SETTING": -78, "SHAPE": -78, "STRING": 39, "SUIT": -78, "TITLE": -78, "VULNERABLE": -78,
     "level_type": 133},
    {"$END": -93, "ACTION": -93, "ALTCOUNT": -93, "COLON": -93, "COMMA": -93, "CONDITION": -93, "COUNT": -93,
     "EQUAL": -93, "FUNCTION": -93, "LEVEL": -93, "LPAR": -93, "MINUS": -93, "NAME": -93, "NOT": -93,
     "NUMBER": -93, "OPERATOR": -93, "PLUS": -93, "POINTCOUNT": -93, "PREDEAL": -93, "QUESTION": -93, "RPAR":
     -93, "SEAT_SETTING": -93, "SHAPE": -93, "SHARE": -93, "SUIT": -93, "TITLE": -93, "VULNERABLE": -93},
    {"$END": -79, "ACTION": -79, "ALTCOUNT": -79, "CONDITION": -79, "COUNT": -79, "FUNCTION": -79, "LEVEL":
     -79, "LPAR": -79, "MINUS": -79, "NAME": -79, "NOT": -79, "NUMBER": -79, "POINTCOUNT": -79, "PREDEAL":
     -79, "SEAT_SETTING": -79, "SHAPE": -79, "SUIT": -79, "TITLE": -79, "VULNERABLE": -79},
    {"$END": -52, "ACTION": -52, "ALTCOUNT": -52, "CONDITION": -52, "COUNT": -52, "FUNCTION": -52, "LEVEL":
     -52, "LPAR": -52, "MINUS": -52, "NAME": -52, "NOT": -52, "NUMBER": -52, "POINTCOUNT": -52, "PREDEAL":
     -52, "SEAT": -52, "SEAT_SETTING": -52, "SHAPE": -52, "SUIT": -52, "TITLE": -52, "VULNERABLE": -52},
    {"$END": -40, "ACTION": -40, "ALTCOUNT": -40, "COMMA": -40, "CONDITION": -40, "COUNT": -40, "FUNCTION":
     -40, "LEVEL": -40, "LPAR": -40, "MINUS": -40, "NAME": -40, "NOT": -40, "NUMBER": -40, "POINTCOUNT": -40,
     "PREDEAL": -40, "SEAT": -40, "SEAT_SETTING": -40, "SHAPE": -40, "SUIT": -40, "TITLE": -40, "VULNERABLE":
     -40},
    {"$END": -53, "ACTION": -53, "ALTCOUNT": -53, "COMMA": 134, "CONDITION": -53, "COUNT": -53, "FUNCTION":
     -53, "LEVEL": -53, "LPAR": -53, "MINUS": -53, "NAME": -53, "NOT": -53, "NUMBER": -53, "POINTCOUNT": -53,
     "PREDEAL": -53, "SEAT": -53, "SEAT_SETTING": -53, "SHAPE": -53, "SUIT": -53, "TITLE": -53, "VULNERABLE":
     -53},
    {"SEAT": 135},
    {"$END": -56, "ACTION": -56, "ALTCOUNT": -56, "CONDITION": -56, "COUNT": -56, "FUNCTION": -56, "LEVEL":
     -56, "LPAR": -56, "MINUS": -56, "NAME": -56, "NOT": -56, "NUMBER": -56, "POINTCOUNT": -56, "PREDEAL":
     -56, "SEAT": -56, "SEAT_SETTING": -56, "SHAPE": -56, "SUIT": -56, "TITLE": -56, "VULNERABLE": -56},
    {"$END": -82, "ACTION": -82, "ALTCOUNT": -82, "CONDITION": -82, "COUNT": -82, "FUNCTION": -82, "LEVEL":
     -82, "LPAR": -82, "MINUS": -82, "NAME": -82, "NOT": -82, "NUMBER": -82, "POINTCOUNT": -82, "PREDEAL":
     -82, "SEAT_SETTING": -82, "SHAPE": -82, "SUIT": -82, "TITLE": -82, "VULNERABLE": -82},
    {"COMMA": 136},
    {"RPAR": 137},
    {"$END": -84, "ACTION": -84, "ALTCOUNT": -84, "CONDITION": -84, "COUNT": -84, "FUNCTION": -84, "LEVEL":
     -84, "LPAR": -84, "MINUS": -84, "NAME": -84, "NOT": -84, "NUMBER": -84, "POINTCOUNT": -84, "PREDEAL":
     -84, "SEAT_SETTING": -84, "SHAPE": -84, "SUIT": -84, "TITLE": -84, "VULNERABLE": -84},
    {"$END": -86, "ACTION": -86, "ALTCOUNT": -86, "CONDITION": -86, "COUNT": -86, "FUNCTION": -86, "LEVEL":
     -86, "LPAR": -86, "MINUS": -86, "NAME": -86, "NOT": -86, "NUMBER": -86, "POINTCOUNT": -86, "PREDEAL":
     -86, "SEAT_SETTING": -86, "SHAPE": -86, "SUIT": -86, "TITLE": -86, "VULNERABLE": -86},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 138, "operand": 24, "unsigned": 26},
    {"FUNCTION": 7, "LPAR": 9, "MINUS": 10, "NAME": 34, "NOT": 12, "NUMBER": 13, "SHAPE": 17, "SUIT": 18,
     "branches": 21, "chain": 22, "expression": 139, "operand": 24, "unsigned": 26},
    {"$END": -28, "ACTION": -28, "ALTCOUNT": -28, "COLON": -28, "COMMA": -28, "CONDITION": -28, "COUNT": -28,
     "EQUAL": -28, "FUNCTION": -28, "LEVEL": -28, "LPAR": -28, "MINUS": -28, "NAME": -28, "NOT": -28,
     "NUMBER": -28, "OPERATOR": -28, "PLUS": -28, "POINTCOUNT": -28, "PREDEAL": -28, "QUESTION": -28, "RPAR":
     -28, "SEAT_SETTING": -28, "SHAPE": -28, "SHARE": -28, "SUIT": -28, "TITLE": -28, "VULNERABLE": -28},
    {"$END": -29, "ACTION": -29, "ALTCOUNT": -29, "COLON": -29, "COMMA": -29, "CONDITION": -29, "COUNT": -29,
     "EQUAL": -29, "FUNCTION": -29, "LEVEL": -29, "LPAR": -29, "MINUS": -29, "NAME": -29, "NOT": -29,
     "NUMBER": -29, "OPERATOR": -29, "PLUS": -29, "POINTCOUNT": -29, "PREDEAL": -29, "QUESTION": -29, "RPAR":
     -29, "SEAT_SETTING": -29, "SHAPE": -29, "SHARE": -29, "SUIT": -29, "TITLE": -29, "VULNERABLE": -29},
    {"$END": -30, "ACTION": -30, "ALTCOUNT": -30, "COLON": -30, "COMMA": -30, "CONDITION": -30, "COUNT": -30,
     "EQUAL": -30, "FUNCTION": -30, "LEVEL": -30, "LPAR": -30, "MINUS": -30, "NAME": -30, "NOT": -30,
     "NUMBER": -30, "OPERATOR": -30, "PLUS": -30, "POINTCOUNT": -30, "PREDEAL": -30, "QUESTION": -30, "RPAR":
     -30, "SEAT_SETTING": -30, "SHAPE": -30, "SHARE": -30, "SUIT": -30, "TITLE": -30, "VULNERABLE": -30},
    {"$END": -31, "ACTION": -31, "ALTCOUNT": -31, "COLON": -31, "COMMA": -31, "CONDITION": -31, "COUNT": -31,
     "EQUAL": -31, "FUNCTION": -31, "LEVEL": -31, "LPAR": -31, "MINUS": -31, "NAME": -31, "NOT": -31,
     "NUMBER": -31, "OPERATOR": -31, "PLUS": -31, "POINTCOUNT": -31, "PREDEAL": -31, "QUESTION": -31, "RPAR":
     -31, "SEAT_SETTING": -31, "SHAPE": -31, "SHARE": -31, "SUIT": -31, "TITLE": -31, "VULNERABLE": -31},
    {"COLON": 140},
    {"$END": -32, "ACTION": -32, "ALTCOUNT": -32, "COLON": -32, "COMMA": -32, "CONDITION": -32, "COUNT": -32,
     "EQUAL": -32, "FUNCTION": -32, "LEVEL": -32, "LPAR": -32, "MINUS": -32, "NAME": -32, "NOT": -32,
     "NUMBER": -32, "OPERATOR": -32, "PLUS": -32, "POINTCOUNT": -32, "PREDEAL": -32, "QUESTION": -32, "RPAR":
     -32, "SEAT_SETTING": -32, "SHAPE": -32, "SHARE": -32, "SUIT": -32, "TITLE": -32, "VULNERABLE": -32},
    {"$END": -33, "ACTION": -33, "ALTCOUNT": -33, "COLON": -33, "COMMA": -33, "CONDITION": -33, "COUNT": -33,
     "EQUAL": -33, "FUNCTION": -33, "LEVEL": -33, "LPAR": -33, "MINUS": -33, "NAME": -33, "NOT": -33,
     "NUMBER": -33, "OPERATOR": -33, "PLUS": -33, "POINTCOUNT": -33, "PREDEAL": -33, "QUESTION": -33, "RPAR":
     -33, "SEAT_SETTING": -33, "SHAPE": -33, "SHARE": -33, "SUIT": -33, "TITLE": -33, "VULNERABLE": -33},
    {"$END": -34, "ACTION": -34, "ALTCOUNT": -34, "COLON": -34, "COMMA": -34, "CONDITION": -34, "COUNT": -34,
     "EQUAL": -34, "FUNCTION": -34, "LEVEL": -34, "LPAR": -34, "MINUS": -34, "NAME": -34, "NOT": -34,
     "NUMBER": -34, "OPERATOR": -34, "PLUS": -34, "POINTCOUNT": -34, "PREDEAL": -34, "QUESTION": -34, "RPAR":
     -34, "SEAT_SETTING": -34, "SHAPE": -34, "SHARE": -34, "SUIT": -34, "TITLE": -34, "VULNERABLE": -34},
    {"$END": -35, "ACTION": -35, "ALTCOUNT": -35, "COLON": -35, "COMMA": -35, "CONDITION": -35, "COUNT": -35,
     "EQUAL": -35, "FUNCTION": -35, "LEVEL": -35, "LPAR": -35, "MINUS": -35, "NAME": -35, "NOT": -35,
     "NUMBER": -35, "OPERATOR": -35, "PLUS": -35, "POINTCOUNT": -35, "PREDEAL": -35, "QUESTION": -35, "RPAR":
     -35, "SEAT_SETTING": -35, "SHAPE": -35, "SHARE": -35, "SUIT": -35, "TITLE": -35, "VULNERABLE": -35},
    {"COLON": 141},
    {"RPAR": 142},
    {"CARD": 83, "CONTRACT": 84, "DEAL": 85, "FUNCTION": 7, "ITEM": 86, "LPAR": 9, "MINUS": 10, "NAME": 34,
     "NOT": 12, "NUMBER": 13, "RPAR": -22, "SEAT": 87, "SHAPE": 17, "SIDE": 88, "STRAIN": 89, "STRING": 90,
     "SUIT": 91, "VULWORD": 92, "argument": 93, "arguments": 143, "branches": 21, "chain": 22, "expression":
     95, "operand": 24, "some_arguments": 96, "unsigned": 26},
    {"RPAR": 144},
    {"$END": -6, "ACTION": -6, "ALTCOUNT": -6, "COMMA": -6, "CONDITION": -6, "COUNT": -6, "FUNCTION": -6,
     "LEVEL": -6, "LPAR": -6, "MINUS": -6, "NAME": -6, "NOT": -6, "NUMBER": -6, "POINTCOUNT": -6, "PREDEAL":
     -6, "SEAT_SETTING": -6, "SHAPE": -6, "SUIT": -6, "TITLE": -6, "VULNERABLE": -6},
    {"$END": -9, "ACTION": -9, "ALTCOUNT": -9, "COMMA": -9, "CONDITION": -9, "COUNT": -9, "FUNCTION": -9,
     "LEVEL": -9, "LPAR": -9, "MINUS": -9, "NAME": -9, "NOT": -9, "NUMBER": -9, "POINTCOUNT": -9, "PREDEAL":
     -9, "SEAT_SETTING": -9, "SHAPE": -9, "SUIT": -9, "TITLE": -9, "VULNERABLE": -9},
    {"$END": -46, "ACTION": -46, "ALTCOUNT": -46, "CONDITION": -46, "COUNT": -46, "FUNCTION": -46, "LEVEL":
     -46, "LPAR": -46, "MINUS": -46, "NAME": -46, "NOT": -46, "NUMBER": -46, "POINTCOUNT": -46, "PREDEAL":
     -46, "SEAT_SETTING": -46, "SHAPE": -46, "SUIT": -46, "TITLE": -46, "VULNERABLE": -46},
    {"CARD": 83, "CONTRACT": 84, "DEAL": 85, "FUNCTION": 7, "ITEM": 86, "LPAR": 9, "MINUS": 10, "NAME": 34,
     "NOT": 12, "NUMBER": 13, "RPAR": -22, "SEAT": 87, "SHAPE": 17, "SIDE": 88, "STRAIN": 89, "STRING": 90,
     "SUIT": 91, "VULWORD": 92, "argument": 93, "arguments": 145, "branches": 21, "chain": 22, "expression":
     95, "operand": 24, "some_arguments": 96, "unsigned": 26},
    {"$END": -91, "ACTION": -91, "ALTCOUNT": -91, "COLON": -91, "COMMA": -91, "CONDITION": -91, "COUNT": -91,
     "EQUAL": -91, "FUNCTION": -91, "LEVEL": -91, "LPAR": -91, "MINUS": -91, "NAME": -91, "NOT": -91,
     "NUMBER": -91, "OPERATOR": -91, "OUTPUT": 146, "PLUS": -91, "POINTCOUNT": -91, "PREDEAL": -91,
     "QUESTION": -91, "RPAR": -91, "SEAT_SETTING": -91, "SHAPE": -91, "SHARE": -91, "SUIT": -91, "TITLE": -91,
     "VULNERABLE": -91},
    {"CARD": 83, "CONTRACT": 84, "DEAL": 85, "FUNCTION": 7, "ITEM": 86, "LPAR": 9, "MINUS": 10, "NAME": 34,
     "NOT": 12, "NUMBER": 13, "SEAT": 87, "SHAPE": 17, "SIDE": 88, "STRAIN": 89, "STRING": 90, "SUIT": 91,
     "VULWORD": 92, "argument": 147, "branches": 21, "chain": 22, "expression": 95, "operand": 24, "unsigned":
     26},
    {"NUMBER": 148},
    {"$END": -45, "ACTION": -45, "ALTCOUNT": -45, "COMMA": -45, "CONDITION": -45, "COUNT": -45, "FUNCTION":
     -45, "LEVEL": -45, "LPAR": -45, "MINUS": -45, "NAME": -45, "NOT": -45, "NUMBER": -45, "POINTCOUNT": -45,
     "PREDEAL": -45, "SEAT_SETTING": -45, "SHAPE": -45, "SUIT": -45, "TITLE": -45, "VULNERABLE": -45},
    {"HOLDING": 149},
    {"RPAR": 150},
    {"ANY": 151, "COMMA": 152, "DISTRIBUTION": 153, "MINUS": 154, "PLUS": 155, "shape_term": 156,
     "shape_terms": 157},
    {"$END": -100, "ACTION": -100, "ALTCOUNT": -100, "COLON": -100, "COMMA": -100, "CONDITION": -100, "COUNT":
     -100, "EQUAL": -100, "FUNCTION": -100, "LEVEL": -100, "LPAR": -100, "MINUS": -100, "NAME": -100, "NOT":
     -100, "NUMBER": -100, "OPERATOR": -100, "PLUS": -100, "POINTCOUNT": -100, "PREDEAL": -100, "QUESTION":
     -100, "RPAR": -100, "SEAT_SETTING": -100, "SHAPE": -100, "SHARE": -100, "SUIT": -100, "TITLE": -100,
     "VULNERABLE": -100},
    {"COLON": 158},
    {"COLON": 159},
    {"FUNCTION": -26, "LPAR": -26, "MINUS": -26, "NAME": -26, "NOT": -26, "NUMBER": -26, "SHAPE": -26, "SUIT":
     -26},
    {"FUNCTION": -27, "LPAR": -27, "MINUS": -27, "NAME": -27, "NOT": -27, "NUMBER": -27, "SHAPE": -27, "SUIT":
     -27},
    {"$END": -2, "ACTION": -2, "ALTCOUNT": -2, "COMMA": -2, "CONDITION": -2, "COUNT": -2, "FUNCTION": -2,
     "LEVEL": -2, "LPAR": -2, "MINUS": -2, "NAME": -2, "NOT": -2, "NUMBER": -2, "POINTCOUNT": -2, "PREDEAL":
     -2, "SEAT_SETTING": -2, "SHAPE": -2, "SUIT": -2, "TITLE": -2, "VULNERABLE": -2},
    {"RPAR": 160},
    {"$END": -5, "ACTION": -5, "ALTCOUNT": -5, "COMMA": -5, "CONDITION": -5, "COUNT": -5, "FUNCTION": -5,
     "LEVEL": -5, "LPAR": -5, "MINUS": -5, "NAME": -5, "NOT": -5, "NUMBER": -5, "POINTCOUNT": -5, "PREDEAL":
     -5, "SEAT_SETTING": -5, "SHAPE": -5, "SUIT": -5, "TITLE": -5, "VULNERABLE": -5},
    {"RPAR": 161},
    {"$END": -92, "ACTION": -92, "ALTCOUNT": -92, "COLON": -92, "COMMA": -92, "CONDITION": -92, "COUNT": -92,
     "EQUAL": -92, "FUNCTION": -92, "LEVEL": -92, "LPAR": -92, "MINUS": -92, "NAME": -92, "NOT": -92,
     "NUMBER": -92, "OPERATOR": -92, "PLUS": -92, "POINTCOUNT": -92, "PREDEAL": -92, "QUESTION": -92, "RPAR":
     -92, "SEAT_SETTING": -92, "SHAPE": -92, "SHARE": -92, "SUIT": -92, "TITLE": -92, "VULNERABLE": -92},
    {"COMMA": -68, "RPAR": -68},
    {"$END": -43, "ACTION": -43, "ALTCOUNT": -43, "COMMA": -43, "CONDITION": -43, "COUNT": -43, "FUNCTION":
     -43, "LEVEL": -43, "LPAR": -43, "MINUS": -43, "NAME": -43, "NOT": -43, "NUMBER": -43, "POINTCOUNT": -43,
     "PREDEAL": -43, "SEAT_SETTING": -43, "SHAPE": -43, "SUIT": -43, "TITLE": -43, "VULNERABLE": -43},
    {"$END": -41, "ACTION": -41, "ALTCOUNT": -41, "COMMA": -41, "CONDITION": -41, "COUNT": -41, "FUNCTION":
     -41, "LEVEL": -41, "LPAR": -41, "MINUS": -41, "NAME": -41, "NOT": -41, "NUMBER": -41, "POINTCOUNT": -41,
     "PREDEAL": -41, "SEAT": -41, "SEAT_SETTING": -41, "SHAPE": -41, "SUIT": -41, "TITLE": -41, "VULNERABLE":
     -41},
    {"EQUAL": 162},
    {"DISTRIBUTION": 163},
    {"ANY": 164, "DISTRIBUTION": 165},
    {"ANY": -60, "COMMA": -60, "DISTRIBUTION": -60, "MINUS": -60, "PLUS": -60, "RPAR": -60},
    {"ANY": 166, "DISTRIBUTION": 167},
    {"ANY": 168, "DISTRIBUTION": 169},
    {"ANY": -65, "COMMA": -65, "DISTRIBUTION": -65, "MINUS": -65, "PLUS": -65, "RPAR": -65},
    {"ANY": 151, "COMMA": 152, "DISTRIBUTION": 153, "MINUS": 154, "PLUS": 155, "RPAR": 170, "shape_term":
     171},
    {"FUNCTION": -24, "LPAR": -24, "MINUS": -24, "NAME": -24, "NOT": -24, "NUMBER": -24, "SHAPE": -24, "SUIT":
     -24},
    {"FUNCTION": -25, "LPAR": -25, "MINUS": -25, "NAME": -25, "NOT": -25, "NUMBER": -25, "SHAPE": -25, "SUIT":
     -25},
    {"$END": -3, "ACTION": -3, "ALTCOUNT": -3, "COMMA": -3, "CONDITION": -3, "COUNT": -3, "FUNCTION": -3,
     "LEVEL": -3, "LPAR": -3, "MINUS": -3, "NAME": -3, "NOT": -3, "NUMBER": -3, "POINTCOUNT": -3, "PREDEAL":
     -3, "SEAT_SETTING": -3, "SHAPE": -3, "SUIT": -3, "TITLE": -3, "VULNERABLE": -3},
    {"COMMA": -14, "RPAR": -14},
    {"NUMBER": 172},
    {"ANY": -57, "COMMA": -57, "DISTRIBUTION": -57, "MINUS": -57, "PLUS": -57, "RPAR": -57},
    {"DISTRIBUTION": 173},
    {"ANY": -59, "COMMA": -59, "DISTRIBUTION": -59, "MINUS": -59, "PLUS": -59, "RPAR": -59},
    {"DISTRIBUTION": 174},
    {"ANY": -62, "COMMA": -62, "DISTRIBUTION": -62, "MINUS": -62, "PLUS": -62, "RPAR": -62},
    {"DISTRIBUTION": 175},
    {"ANY": -64, "COMMA": -64, "DISTRIBUTION": -64, "MINUS": -64, "PLUS": -64, "RPAR": -64},
    {"$END": -99, "ACTION": -99, "ALTCOUNT": -99, "COLON": -99, "COMMA": -99, "CONDITION": -99, "COUNT": -99,
     "EQUAL": -99, "FUNCTION": -99, "LEVEL": -99, "LPAR": -99, "MINUS": -99, "NAME": -99, "NOT": -99,
     "NUMBER": -99, "OPERATOR": -99, "PLUS": -99, "POINTCOUNT": -99, "PREDEAL": -99, "QUESTION": -99, "RPAR":
     -99, "SEAT_SETTING": -99, "SHAPE": -99, "SHARE": -99, "SUIT": -99, "TITLE": -99, "VULNERABLE": -99},
    {"ANY": -66, "COMMA": -66, "DISTRIBUTION": -66, "MINUS": -66, "PLUS": -66, "RPAR": -66},
    {"$END": -54, "ACTION": -54, "ALTCOUNT": -54, "CONDITION": -54, "COUNT": -54, "FUNCTION": -54, "LEVEL":
     -54, "LPAR": -54, "MINUS": -54, "NAME": -54, "NOT": -54, "NUMBER": -54, "POINTCOUNT": -54, "PREDEAL":
     -54, "SEAT": -54, "SEAT_SETTING": -54, "SHAPE": -54, "SUIT": -54, "TITLE": -54, "VULNERABLE": -54},
    {"ANY": -58, "COMMA": -58, "DISTRIBUTION": -58, "MINUS": -58, "PLUS": -58, "RPAR": -58},
    {"ANY": -61, "COMMA": -61, "DISTRIBUTION": -61, "MINUS": -61, "PLUS": -61, "RPAR": -61},
    {"ANY": -63, "COMMA": -63, "DISTRIBUTION": -63, "MINUS": -63, "PLUS": -63, "RPAR": -63},
)
