import { type AliasedSchema, createValidator, type JsonSchema } from "../../ground/schema/schema.ts"

/**
 * A schema that also takes arguments under the names that other hosts give them. A model only sees
 * `shownSchema`.
 */
export function createAliasedSchema<Value>(
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
  shownSchema: JsonSchema = schema,
): AliasedSchema<Value> {
  const validate = createValidator(schema)
  return {
    aliases,
    "~standard": {
      version: 1,
      vendor: "cadre",
      jsonSchema: { input: () => shownSchema },
      async validate(input) {
        const renamedInput = renameArguments(input, aliases)
        if ("problem" in renamedInput) return { issues: [{ message: renamedInput.problem }] }
        const checked = await validate(renamedInput.value)
        if (!("problem" in checked)) return { value: checked.value as Value }
        return { issues: checked.problem.split("; ").map(issueOf) }
      },
    },
  }
}

/** One argument under two names must have the same value in both: none of them is chosen for the model. */
function renameArguments(
  input: unknown,
  aliases: Readonly<Record<string, string>>,
): { readonly value: unknown } | { readonly problem: string } {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return { value: input }
  const values = new Map<string, { readonly name: string; readonly value: unknown }>()
  for (const [name, value] of Object.entries(input)) {
    const ours = Object.hasOwn(aliases, name) ? aliases[name]! : name
    const other = values.get(ours)
    if (other && other.value !== value)
      return {
        problem: `"${other.name}" and "${name}" are two names of one argument, but their values differ. Give only one of them.`,
      }
    values.set(ours, { name, value })
  }
  return { value: Object.fromEntries([...values].map(([ours, { value }]) => [ours, value])) }
}

function issueOf(problem: string): { message: string; path?: readonly string[] } {
  const [place = "", ...rest] = problem.split(": ")
  return place === "(root)" || rest.length === 0
    ? { message: rest.join(": ") || problem }
    : { message: rest.join(": "), path: [place] }
}

/** The names that other hosts give to the path of a file. */
export const pathAliases = { file_path: "path", filePath: "path", filename: "path" } as const
