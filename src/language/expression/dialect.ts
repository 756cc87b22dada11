/**
 * The language of an expression: Jinja in templates, Python in conditions. One parser and one evaluator work for both. The
 * dialects differ in the meaning of `is`, `|` and `~`, in how `**` and signs bind, in some syntax, and in missing names.
 */
export type ExpressionDialect = "jinja" | "python"
