; Only with a body: without one it is a mention and not a definition.
(struct_specifier name: (type_identifier) @class.name body: (_) @class.body) @class.def
(union_specifier name: (type_identifier) @class.name body: (_) @class.body) @class.def
(enum_specifier name: (type_identifier) @class.name body: (_) @class.body) @class.def

; An unnamed one is known by the name of its type.
(type_definition
  type: [
    (struct_specifier !name body: (_) @class.body)
    (union_specifier !name body: (_) @class.body)
    (enum_specifier !name body: (_) @class.body)
  ]
  declarator: (type_identifier) @class.name) @class.def
