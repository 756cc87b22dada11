; Every defined type can have methods. An alias cannot.
(type_spec
  name: (type_identifier) @class.name
  type: (_) @class.body) @class.def
