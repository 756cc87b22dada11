(function_declaration
  name: (identifier) @function.name
  body: (block) @function.body) @function.def

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @function.owner
        (generic_type type: (type_identifier) @function.owner)
        (pointer_type (type_identifier) @function.owner)
        (pointer_type (generic_type type: (type_identifier) @function.owner))
      ]))
  name: (field_identifier) @function.name
  body: (block) @function.body) @function.def

(interface_type
  (method_elem name: (field_identifier) @function.name) @function.def)
