/**
 * Whose expressions these are: those of templates are Jinja's, those of conditions are Python's. One reader and one
 * evaluator work for both, and ask for this where they differ: what `is`, `|` and `~` mean, how `**` and signs bind, what
 * is written in one of them only, and what comes of a name that is not there.
 */
export type Dialect = "jinja" | "python"
