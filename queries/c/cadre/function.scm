; The name lies below a star for each pointer that the function returns.
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @function.name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @function.name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @function.name)))
    (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @function.name))))
    (parenthesized_declarator (function_declarator declarator: (identifier) @function.name))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @function.name))))
  ]
  body: (compound_statement) @function.body) @function.def
