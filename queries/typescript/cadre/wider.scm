; A declaration of a single variable belongs to its function or class.
([
  (lexical_declaration . (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]) @wider.inner .)
  (variable_declaration . (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]) @wider.inner .)
]) @wider.def

; Decorators can stand before `export`.
(export_statement
  declaration: [
    (function_declaration)
    (generator_function_declaration)
    (class_declaration)
    (abstract_class_declaration)
    (interface_declaration)
    (enum_declaration)
    (function_signature)
    (lexical_declaration . (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]) .)
    (variable_declaration . (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]) .)
  ] @wider.inner) @wider.def
