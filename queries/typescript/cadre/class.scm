(class_declaration name: (type_identifier) @class.name body: (_) @class.body) @class.def
(abstract_class_declaration name: (type_identifier) @class.name body: (_) @class.body) @class.def
(interface_declaration name: (type_identifier) @class.name body: (_) @class.body) @class.def
(enum_declaration name: (identifier) @class.name body: (_) @class.body) @class.def

(variable_declarator
  name: (identifier) @class.name
  value: (class body: (_) @class.body)) @class.def

(export_statement
  "default"
  value: (class !name body: (_) @class.body)
  (#set! name "default")) @class.def
