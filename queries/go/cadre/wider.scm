; The keyword belongs to a declaration of a single type.
(type_declaration
  .
  (type_spec) @wider.inner
  .) @wider.def
