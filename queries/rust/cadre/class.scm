(struct_item name: (type_identifier) @class.name) @class.def
(struct_item name: (type_identifier) @class.name body: (_) @class.body) @class.def
(enum_item name: (type_identifier) @class.name body: (_) @class.body) @class.def
(union_item name: (type_identifier) @class.name body: (_) @class.body) @class.def
(trait_item name: (type_identifier) @class.name body: (_) @class.body) @class.def
