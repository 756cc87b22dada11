(template_declaration
  [
    (function_definition)
    (class_specifier)
    (struct_specifier)
    (union_specifier)
    (template_declaration)
  ] @wider.inner) @wider.def
