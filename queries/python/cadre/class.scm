(class_definition
  name: (identifier) @class.name
  body: (block) @class.body) @class.def
