import { type AliasedSchema, type JsonSchema, validator } from "../../ground/schema/schema.ts"

/** A schema that also takes arguments under the names that other hosts give them. A model is told only of those in `told`. */
export function aliased<Value>(
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
  told: JsonSchema = schema,
): AliasedSchema<Value> {
  const validate = validator(schema)
  return {
    aliases,
    "~standard": {
      version: 1,
      vendor: "cadre",
      jsonSchema: { input: () => told },
      async validate(given) {
        const read = renamed(given, aliases)
        if ("problem" in read) return { issues: [{ message: read.problem }] }
        const checked = await validate(read.value)
        if (!("problem" in checked)) return { value: checked.value as Value }
        return { issues: checked.problem.split("; ").map(issueOf) }
      },
    },
  }
}

/** One argument under two names must say the same in both: nothing is chosen for whoever wrote it. */
function renamed(
  given: unknown,
  aliases: Readonly<Record<string, string>>,
): { readonly value: unknown } | { readonly problem: string } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { value: given }
  const read = new Map<string, { readonly name: string; readonly value: unknown }>()
  for (const [name, value] of Object.entries(given)) {
    const ours = Object.hasOwn(aliases, name) ? aliases[name]! : name
    const other = read.get(ours)
    if (other && other.value !== value)
      return {
        problem: `"${other.name}" and "${name}" are two names of one argument, and say different things: give one of them.`,
      }
    read.set(ours, { name, value })
  }
  return { value: Object.fromEntries([...read].map(([ours, { value }]) => [ours, value])) }
}

function issueOf(problem: string): { message: string; path?: readonly string[] } {
  const [place = "", ...rest] = problem.split(": ")
  return place === "(root)" || rest.length === 0
    ? { message: rest.join(": ") || problem }
    : { message: rest.join(": "), path: [place] }
}

/** How other hosts call the path of a file. */
export const pathAliases = { file_path: "path", filePath: "path", filename: "path" } as const
