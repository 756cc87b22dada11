import { buildConfigurationSchema } from "../../../definitions/configuration/schema.ts"
import { formats } from "../../../definitions/formats/index.ts"
import { formatSchema } from "../../../definitions/formats/schema.ts"
import { buildWorkflowSchema } from "../../../definitions/formats/workflow-keys.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import type { JsonSchema } from "../../../ground/schema/schema.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const schemaCommand = defineCommand({
  name: "schema",
  summary: "Print the JSON Schema of a format, for editors",
  arguments: [
    { name: "format", doc: "A format, `config` for .cadre/config.yaml, or `workflow` for .cadre/workflows" },
  ],
  options: { json: { type: "flag", doc: "Accepted for consistency: the output is always JSON" } },
  examples: [
    { line: "cadre schema claude > claude-agent.schema.json", doc: "Save it for your editor" },
    { line: "cadre schema config", doc: "Print the schema of the configuration" },
  ],
  async run({ arguments: { format: id }, stdout }) {
    stdout.write(writeJsonText(schemaOf(id)))
    return exitCode.fine
  },
})

function schemaOf(id: string): JsonSchema {
  const format = formats.find((candidate) => candidate.id === id)
  if (format) return formatSchema(format)
  if (id === "config") return buildConfigurationSchema()
  if (id === "workflow") return buildWorkflowSchema()
  const names = [...formats.map((one) => one.id), "config", "workflow"]
  throw new UsageError(`Unknown format ${JSON.stringify(id)}. ${listKnownNames(id, names)}`)
}
