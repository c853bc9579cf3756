"""From the text of an expression to its tree: lexer, grammar, parser, macros; `unparse` turns a tree into text again.

`form_reader` reads a text with the `grammar` and recovers from errors as the server does (`recovery`); `parser` builds the
tree. `nodes` are the nodes of the tree; the checker writes types on them. `errors` collects the errors, each with its place
in the `source`.
"""
