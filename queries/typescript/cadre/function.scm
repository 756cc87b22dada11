(function_declaration name: (identifier) @function.name body: (_) @function.body) @function.def
(generator_function_declaration name: (identifier) @function.name body: (_) @function.body) @function.def

; Overloads, and functions that are only declared.
(function_signature name: (identifier) @function.name) @function.def

(variable_declarator
  name: (identifier) @function.name
  value: [
    (arrow_function body: (_) @function.body)
    (function_expression body: (_) @function.body)
    (generator_function body: (_) @function.body)
  ]) @function.def

(export_statement
  "default"
  value: [
    (arrow_function body: (_) @function.body)
    (function_expression !name body: (_) @function.body)
  ]
  (#set! name "default")) @function.def

(method_definition name: (_) @function.name body: (_) @function.body) @function.def

; Overloads, abstract methods and the methods of interfaces.
(class_body (method_signature name: (_) @function.name) @function.def)
(class_body (abstract_method_signature name: (_) @function.name) @function.def)
(interface_body (method_signature name: (_) @function.name) @function.def)

(public_field_definition
  name: (_) @function.name
  value: [
    (arrow_function body: (_) @function.body)
    (function_expression body: (_) @function.body)
    (generator_function body: (_) @function.body)
  ]) @function.def

(pair
  key: [(property_identifier) (string)] @function.name
  value: [
    (arrow_function body: (_) @function.body)
    (function_expression body: (_) @function.body)
    (generator_function body: (_) @function.body)
  ]) @function.def

; `module.exports.parse = …`
(expression_statement
  (assignment_expression
    left: (member_expression property: (property_identifier) @function.name)
    right: [
      (arrow_function body: (_) @function.body)
      (function_expression body: (_) @function.body)
      (generator_function body: (_) @function.body)
    ])
  (#not-eq? @function.name "exports")) @function.def

; `Parser.prototype.next = …`
(expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression
        object: (identifier) @function.owner
        property: (property_identifier) @_prototype)
      property: (property_identifier) @function.name)
    right: [(arrow_function) (function_expression) (generator_function)])
  (#eq? @_prototype "prototype")) @function.def

; `module.exports = …`
(expression_statement
  (assignment_expression
    left: (member_expression property: (property_identifier) @_exports)
    right: [
      (arrow_function body: (_) @function.body)
      (function_expression body: (_) @function.body)
      (generator_function body: (_) @function.body)
    ])
  (#eq? @_exports "exports")
  (#set! name "default")) @function.def
