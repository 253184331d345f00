"""The picture of a flow. Pure: records go in, places and text come out.

collapsing.py  which members are alike, and share a node
placing.py     where boxes and edges are drawn: layers from left to right
critical.py    the chain of members that decides when the flow ends
picture.py     the parts together: `plan` (places, which one may keep) and `draw` (states, always fresh)
svg.py         a picture as the text of an SVG file
"""
