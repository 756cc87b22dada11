(function_definition
  name: (identifier) @function.name
  body: (block) @function.body) @function.def
