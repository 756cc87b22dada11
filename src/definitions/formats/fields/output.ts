import { isMap } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import type { KeyPath } from "../document/yaml.ts"
import { checkSchema } from "./check-schema.ts"
import { anyType, defineSameField, keepExtension, mapType } from "./common.ts"
import type { Field } from "./field.ts"

/** The schema of an agent's result, in cadre's own files. */
export function defineOutputField(): Field {
  return {
    ...defineSameField(
      "output",
      "result",
      mapType,
      "A JSON Schema of the result: the run ends with a valid `submit_result` call.",
    ),
    aliases: ["result"],
    read: (draft, value, { report }, key = "output") => {
      const schema = value as Values
      const wrong = (path: KeyPath, message: string) =>
        report({ code: "field-type", severity: "error", message, at: { type: "value", path } })
      const problems = checkSchema(schema)
      for (const { path, message } of problems)
        wrong([key, ...path], `\`${[key, ...path].join(".")}\` ${message}.`)
      if (problems.length > 0) return
      if (schema.type === "object") draft.result = schema
      else
        wrong(
          [key],
          `\`${key}\` must be a JSON Schema with \`type: object\`, because a model sends named values.`,
        )
    },
  }
}

/**
 * The `output` key in files of a host that has no such key. Any other value belongs to another tool and is only kept.
 * The schema of an agent from another format is not written there, because that host would ignore it.
 */
export function defineForeignOutputField(format: string, title: string): Field {
  const { aliases: _, ...field } = defineOutputField()
  return {
    ...field,
    type: anyType,
    doc: `A JSON Schema with \`type: object\`: the run ends with a valid \`submit_result\` call. ${title} itself ignores it.`,
    read: (draft, value, reading) => {
      if (isMap(value) && value.type === "object") return field.read(draft, value, reading)
      keepExtension(draft, format, { output: value })
      reading.report({
        code: "key-unknown",
        severity: "info",
        message: `\`output\` is not a JSON Schema with \`type: object\`, and ${title} has no such key: it is kept and has no effect.`,
        at: { type: "key", path: ["output"] },
      })
    },
    write: (agent) => (agent.origin.format === format ? (agent.result as Values | undefined) : undefined),
  }
}
