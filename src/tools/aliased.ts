import { type JsonSchema, type JsonStandardSchema, validator } from "../schema.ts"

/** A schema that also takes arguments under the names that other hosts give them. A model is told only of those in `told`. */
export function aliased<Value>(
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
  told: JsonSchema = schema,
): JsonStandardSchema<Value> {
  const validate = validator(schema)
  return {
    "~standard": {
      version: 1,
      vendor: "cadre",
      jsonSchema: { input: () => told },
      async validate(given) {
        const checked = await validate(renamed(given, aliases))
        if (!("problem" in checked)) return { value: checked.value as Value }
        return { issues: checked.problem.split("; ").map(issueOf) }
      },
    },
  }
}

function renamed(given: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const ours = Object.hasOwn(aliases, name) ? aliases[name]! : name
      return [Object.hasOwn(given, ours) ? name : ours, value]
    }),
  )
}

function issueOf(problem: string): { message: string; path?: readonly string[] } {
  const [place = "", ...rest] = problem.split(": ")
  return place === "(root)" || rest.length === 0
    ? { message: rest.join(": ") || problem }
    : { message: rest.join(": "), path: [place] }
}

/** How other hosts call the path of a file. */
export const pathAliases = { file_path: "path", filePath: "path", filename: "path" } as const
