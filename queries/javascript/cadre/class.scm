(class_declaration name: (identifier) @class.name body: (_) @class.body) @class.def

(variable_declarator
  name: (identifier) @class.name
  value: (class body: (_) @class.body)) @class.def

(export_statement
  "default"
  value: (class !name body: (_) @class.body)
  (#set! name "default")) @class.def
