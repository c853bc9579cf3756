"""From the text of an expression to its tree: lexer, grammar, parser, macros, and back again with `unparse`.

`form_reader` reads a text by the `grammar` and recovers from errors as the server does (`recovery`); `parser` makes the tree.
`nodes` are the tree; the checker writes types on them. `errors` collects what is wrong, each with its place in the `source`.
"""
