; A constant of an enum can have methods of its own.
(enum_constant
  name: (identifier) @owner.name
  body: (class_body) @owner.body) @owner.def
