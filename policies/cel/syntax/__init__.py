"""From the text of an expression to its tree: lexer, parser, macros, and back again with `unparse`.

`parser` reads well-formed texts by recursive descent. Any other text goes to `careful_parser`, which follows the grammar (`grammar`,
`form_reader`, `recovery`) so that it reports what the server reports. `nodes` are the tree; the checker writes types on them. `errors`
collects what is wrong, each with its place in the `source`.
"""
