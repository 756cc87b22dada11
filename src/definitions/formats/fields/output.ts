import { isMap } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import type { Path } from "../document/yaml.ts"
import { checkSchema } from "./check-schema.ts"
import { any, keep, map, same } from "./common.ts"
import type { Field } from "./field.ts"

/** The schema of an agent's result, in cadre's own files. */
export function outputField(): Field {
  return {
    ...same(
      "output",
      "result",
      map,
      "A JSON Schema of the result: the run ends by a valid `submit_result` call.",
    ),
    aliases: ["result"],
    read: (draft, value, { report }, key = "output") => {
      const schema = value as Values
      const wrong = (path: Path, message: string) =>
        report({ code: "field-type", severity: "error", message, at: { type: "value", path } })
      const problems = checkSchema(schema)
      for (const { path, message } of problems)
        wrong([key, ...path], `\`${[key, ...path].join(".")}\` ${message}.`)
      if (problems.length > 0) return
      if (schema.type === "object") draft.result = schema
      else wrong([key], `\`${key}\` must be a JSON Schema with \`type: object\`: a model sends named values.`)
    },
  }
}

/**
 * The same in the files of a host that has no such key. Whatever else stands there is somebody else's and only kept; and
 * what another format says is not written there, because that host would not heed it.
 */
export function outputIn(format: string, title: string): Field {
  const { aliases: _, ...field } = outputField()
  return {
    ...field,
    type: any,
    doc: `A JSON Schema with \`type: object\`: the run ends by a valid \`submit_result\` call. ${title} itself ignores it.`,
    read: (draft, value, reading) => {
      if (isMap(value) && value.type === "object") return field.read(draft, value, reading)
      keep(draft, format, { output: value })
      reading.report({
        code: "key-unknown",
        severity: "info",
        message: `\`output\` is no JSON Schema with \`type: object\`, and no key of ${title} files: it is kept and has no effect.`,
        at: { type: "key", path: ["output"] },
      })
    },
    write: (agent) => (agent.origin.format === format ? (agent.result as Values | undefined) : undefined),
  }
}
